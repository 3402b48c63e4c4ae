import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, ValidateIf } from 'class-validator';
import { IsTimeText } from '../moments.js';
import { IsAppId, IsPattern, IsTenantId } from '../validators.js';

/** What apps keep is to be deleted: of a user who has removed an app or was erased, or all of an app that is deleted. Not all of all. */
export class PurgeRequest {
  /** Null: of all apps, for this user. */
  @ValidateIf(({ app_id, user_id }: PurgeRequest) => app_id !== null || user_id === null) @IsAppId() app_id!: string | null;
  /** Null: of this app, for all users of all tenants and for itself. Never an identity of the app, whose names begin with an underscore. */
  @ValidateIf(({ user_id, app_id }: PurgeRequest) => user_id !== null || app_id === null)
  @IsPattern(/^[A-Za-z0-9][\w-]{0,63}$/, { minLength: 1, maxLength: 64 })
  user_id!: string | null;
  /** The user's; null without one. */
  @ValidateIf(({ user_id, tenant_id }: PurgeRequest) => user_id !== null || tenant_id !== null) @IsTenantId() tenant_id!: string | null;
  /** What was written since then stays: the user has the app again. */
  @IsTimeText() changed_before!: string;
  /** Whether the secrets are deleted, too. */
  @IsBoolean() with_secrets!: boolean;
}

export class PurgeResponse {
  /** How many documents were deleted by this request. */
  @ApiProperty({ type: 'integer' }) deleted!: number;
  /** Whether there is more to be deleted. */
  has_more!: boolean;
}
