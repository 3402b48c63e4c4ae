import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import { IsRawObject } from '../deploys.dto.js';
import { IsLine } from '../validators.js';
import { RunUser } from './runs.dto.js';

/** Runs one function of a document, which need not be deployed, with an empty store. */
export class SmokeTestRequest {
  /** The app document, in any form that can be deployed. */
  @IsRawObject() document!: Record<string, unknown>;
  /** Name of the function. */
  @IsLine(128) function!: string;
  @IsRawObject() args!: Record<string, unknown>;
  @ValidateNested({ message: 'Input should be a valid dictionary' }) @Type(() => RunUser) user!: RunUser;
}

export class SmokeTestStep {
  /** Id of the step. */
  id!: string;
  /** Kind of the step. */
  kind!: string;
  /** Action of the step. */
  action!: string;
  /** False if the step failed. */
  ok!: boolean;
  /**
   * Result of the step. For a failed step: `error` and `error_code`. For a result that is too
   * large: a text that says so.
   */
  @ApiProperty({ nullable: true, required: true, type: Object }) result!: unknown;
  /** Duration of the step. */
  ms!: number;
}

/** An effect that the function would have had outside its run. */
export class SmokeTestEffect {
  /** Kind of the effect, such as `http.post`, `notify.send`, `emit` or `log.info`. */
  what!: string;
  /** Details of the effect. */
  @ApiProperty({ type: 'object', additionalProperties: true }) details!: Record<string, unknown>;
}

export class SmokeTestTrace {
  /**
   * Steps in the order in which they ended, including those of called functions of the same app.
   */
  steps!: SmokeTestStep[];
  /** Effects that the function would have had outside its run. */
  effects!: SmokeTestEffect[];
}

export class SmokeTestResponse {
  /** False if the function failed. */
  ok!: boolean;
  /** The `data` of the function's answer; null if it failed. */
  @ApiProperty({ nullable: true, required: true, type: Object }) result!: unknown;
  /** Error message; null if it did not fail. */
  error!: string | null;
  /**
   * Error code; null if it did not fail.
   * @example STEP_FAILED
   */
  error_code!: string | null;
  /** Steps and effects of the run. */
  trace!: SmokeTestTrace;
}
