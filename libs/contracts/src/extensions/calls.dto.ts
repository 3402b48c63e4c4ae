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
  /** The platform_id of the acting user: of whoever calls, but for trusted backends. */
  @IsPattern(/^[\w-]+$/, { minLength: 1, maxLength: 64, example: 'usr_01h455vb4pex5vsknk084sn02q' }) user_id!: string;
  /** The tenant of the acting user. `default` is taken for it, too. */
  @IsTenantId() tenant_id: string = 'default';
}

export class CallRequest extends ActingUserFields {
  @IsFunctionName() function!: string;
  /** Checked against the `params_schema` of the function. */
  @IsOptional() @IsRawObject() params?: Record<string, unknown> = {};
}

export class BatchCall {
  @IsFunctionName() function!: string;
  @IsOptional() @IsRawObject() params?: Record<string, unknown> = {};
}

export class BatchCallRequest extends ActingUserFields {
  @ApiProperty({ type: [BatchCall], minItems: 1, maxItems: MAX_BATCH_CALLS })
  @IsArray({ message: 'Input should be a valid list' })
  @ArrayMinSize(1, { message: 'List should have at least 1 item' })
  @ArrayMaxSize(MAX_BATCH_CALLS, { message: `List should have at most ${MAX_BATCH_CALLS} items` })
  @ValidateNested({ each: true })
  @Type(() => BatchCall)
  calls!: BatchCall[];
}

/** What became of a call. A function that failed answers 200 with `status: error`. */
export class CallResponse {
  @ApiProperty({ enum: ['success', 'error'] }) status!: 'success' | 'error';
  /** Whatever the function returns. */
  @ApiProperty({ nullable: true, required: true, type: Object }) data!: unknown;
  /** One line, to be shown. */
  summary!: string | null;
  /** What went wrong, for a person; null on success. */
  error!: string | null;
  /** A UI node to render, if any. */
  @ApiProperty({ nullable: true, required: true, type: Object }) ui!: unknown;
  /**
   * What went wrong, for a program; null on success.
   * @example VALIDATION_MISSING_FIELD
   */
  error_code!: string | null;
  /** Whether the same call may succeed later. */
  retryable!: boolean;
}
