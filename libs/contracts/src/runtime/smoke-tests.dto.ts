import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import { IsRawObject } from '../deploys.dto.js';
import { IsLine } from '../validators.js';
import { RunUser } from './runs.dto.js';

/** One function of a document that need not be deployed, run against a fresh store. */
export class SmokeTestRequest {
  /** In the canonical form. */
  @IsRawObject() document!: Record<string, unknown>;
  @IsLine(128) function!: string;
  @IsRawObject() args!: Record<string, unknown>;
  @ValidateNested() @Type(() => RunUser) user!: RunUser;
}

export class SmokeTestStep {
  id!: string;
  kind!: string;
  action!: string;
  ok!: boolean;
  @ApiProperty({ nullable: true, required: true, type: Object }) result!: unknown;
  /** How long it took. */
  ms!: number;
}

export class SmokeTestTrace {
  steps!: SmokeTestStep[];
}

export class SmokeTestResponse {
  /** False when the function failed. */
  ok!: boolean;
  @ApiProperty({ nullable: true, required: true, type: Object }) result!: unknown;
  /** Why it failed; null when it did not. */
  error!: string | null;
  trace!: SmokeTestTrace;
}
