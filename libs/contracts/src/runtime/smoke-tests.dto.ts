import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import { IsRawObject } from '../deploys.dto.js';
import { IsLine } from '../validators.js';
import { RunUser } from './runs.dto.js';

/** One function of a document that need not be deployed, run against a fresh store. */
export class SmokeTestRequest {
  /** In any form that can be deployed. */
  @IsRawObject() document!: Record<string, unknown>;
  @IsLine(128) function!: string;
  @IsRawObject() args!: Record<string, unknown>;
  @ValidateNested({ message: 'Input should be a valid dictionary' }) @Type(() => RunUser) user!: RunUser;
}

export class SmokeTestStep {
  id!: string;
  kind!: string;
  action!: string;
  ok!: boolean;
  /** Of a step that failed `error` and `error_code`; of one that is too large, a text that says so. */
  @ApiProperty({ nullable: true, required: true, type: Object }) result!: unknown;
  /** How long it took. */
  ms!: number;
}

/** What the function would have done to the world. */
export class SmokeTestEffect {
  /** `http.post`, `notify.send`, `emit` or `log.info`, …. */
  what!: string;
  @ApiProperty({ type: 'object', additionalProperties: true }) details!: Record<string, unknown>;
}

export class SmokeTestTrace {
  /** Also those of functions of the same app that it called, in the order in which they ended. */
  steps!: SmokeTestStep[];
  effects!: SmokeTestEffect[];
}

export class SmokeTestResponse {
  /** False when the function failed. */
  ok!: boolean;
  /** The `data` that the function answered; null when it failed. */
  @ApiProperty({ nullable: true, required: true, type: Object }) result!: unknown;
  /** Why it failed; null when it did not. */
  error!: string | null;
  /** @example STEP_FAILED */
  error_code!: string | null;
  trace!: SmokeTestTrace;
}
