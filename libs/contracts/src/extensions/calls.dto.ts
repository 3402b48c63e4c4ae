import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsOptional, MinLength, ValidateNested } from 'class-validator';
import { applyDecorators } from '@nestjs/common';
import { IsRawObject } from '../deploys.dto.js';
import { IsLine, IsPattern, IsTenantId } from '../validators.js';

export const MAX_BATCH_CALLS = 50;

const IsFunctionName = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ minLength: 1, example: 'create_note' }),
    IsLine(128),
    MinLength(1, { message: 'String should have at least 1 character' }),
  );

class ActingUserFields {
  /** Platform id of the acting user: the caller, or the user that a backend names. */
  @IsPattern(/^[\w-]+$/, { minLength: 1, maxLength: 64, example: 'usr_01h455vb4pex5vsknk084sn02q' }) user_id!: string;
  /** Tenant of the acting user. `default` is accepted for every user. */
  @IsTenantId() tenant_id: string = 'default';
}

export class CallRequest extends ActingUserFields {
  /** Name of the function. */
  @IsFunctionName() function!: string;
  /** Parameters of the function, validated against its `params_schema`. */
  @IsOptional() @IsRawObject() params?: Record<string, unknown> | null = {};
}

export class BatchCall {
  /** Name of the function. */
  @IsFunctionName() function!: string;
  /** Parameters of the function, validated against its `params_schema`. */
  @IsOptional() @IsRawObject() params?: Record<string, unknown> | null = {};
}

export class BatchCallRequest extends ActingUserFields {
  /** Calls to run. */
  @ApiProperty({ type: [BatchCall], minItems: 1, maxItems: MAX_BATCH_CALLS })
  @IsArray({ message: 'Input should be a valid list' })
  @ArrayMinSize(1, { message: 'List should have at least 1 item' })
  @ArrayMaxSize(MAX_BATCH_CALLS, { message: `List should have at most ${MAX_BATCH_CALLS} items` })
  @ValidateNested({ each: true })
  @Type(() => BatchCall)
  calls!: BatchCall[];
}

/** Result of a call. A function that fails also answers with 200, with `status: error`. */
export class CallResponse {
  /** `success` or `error`. */
  @ApiProperty({ enum: ['success', 'error'] }) status!: 'success' | 'error';
  /** Result of the function. */
  @ApiProperty({ nullable: true, required: true, type: Object }) data!: unknown;
  /** Single line of text to show to the user. */
  summary!: string | null;
  /** Error message for people; null on success. */
  error!: string | null;
  /** UI node to render; null if there is none. */
  @ApiProperty({ nullable: true, required: true, type: Object }) ui!: unknown;
  /**
   * Error code for programs; null on success.
   * @example VALIDATION_MISSING_FIELD
   */
  error_code!: string | null;
  /** True if the same call can succeed later. */
  retryable!: boolean;
}
