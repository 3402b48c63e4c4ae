import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, ValidateIf } from 'class-validator';
import { IsTimeText } from '../moments.js';
import { IsAppId, IsPattern, IsTenantId } from '../validators.js';

/**
 * Deletes data that apps keep: the data of a user who removed an app or whose account was deleted,
 * or all data of a deleted app. `app_id` and `user_id` cannot both be null.
 */
export class PurgeRequest {
  /** Null: all apps, for this user. */
  @ValidateIf(({ app_id, user_id }: PurgeRequest) => app_id !== null || user_id === null) @IsAppId() app_id!:
    string | null;
  /**
   * Null: all users of all tenants, and the app itself. Internal user ids of an app, which begin
   * with an underscore, are not accepted.
   */
  @ValidateIf(({ user_id, app_id }: PurgeRequest) => user_id !== null || app_id === null)
  @IsPattern(/^[A-Za-z0-9][\w-]{0,63}$/, { minLength: 1, maxLength: 64 })
  user_id!: string | null;
  /** Tenant of the user; null without a user. */
  @ValidateIf(({ user_id, tenant_id }: PurgeRequest) => user_id !== null || tenant_id !== null)
  @IsTenantId()
  tenant_id!: string | null;
  /**
   * Data that was written at or after this time is kept, because the user has installed the app
   * again.
   */
  @IsTimeText() changed_before!: string;
  /** True also deletes the secrets. */
  @IsBoolean() with_secrets!: boolean;
}

export class PurgeResponse {
  /** Number of documents that this request deleted. */
  @ApiProperty({ type: 'integer' }) deleted!: number;
  /** True if more data remains. Send the request again. */
  has_more!: boolean;
}
