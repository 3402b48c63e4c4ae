import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsISO8601, Matches } from 'class-validator';
import { IsTenantId } from '../validators.js';

/** What an app keeps for a user who has removed it is to be deleted. */
export class PurgeRequest {
  /** Never an identity of the app itself, whose names begin with an underscore. */
  @Matches(/^[A-Za-z0-9][\w-]{0,63}$/) user_id!: string;
  @IsTenantId() tenant_id!: string;
  /** What was made since then stays: the user has the app again. */
  @IsISO8601({ strict: true, strictSeparator: true }) created_before!: string;
  /** Whether the secrets that the app has of the user are deleted, too. */
  @IsBoolean() with_secrets!: boolean;
}

export class PurgeResponse {
  /** How many documents were deleted by this request. */
  @ApiProperty({ type: 'integer' }) deleted!: number;
  /** Whether there is more to be deleted. */
  has_more!: boolean;
}
