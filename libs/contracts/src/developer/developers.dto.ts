import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { OfUser } from '../of-user.dto.js';
import { NeedsOneOf } from '../schema-rules.js';
import { IsLine, IsOneOf, IsProse, IsText } from '../validators.js';
import { IsNotBlank, IsWebsite } from './public-texts.js';

/**
 * Tiers of developers, which decide about limits, payouts and the revenue share. Only
 * administrators can give `partner`.
 */
export const DEVELOPER_TIERS = ['explorer', 'indie', 'studio', 'partner'] as const;
export type DeveloperTier = (typeof DEVELOPER_TIERS)[number];

/** Registers the caller as a developer. `display_name` or `nickname` is required. */
@NeedsOneOf('display_name', 'nickname')
export class DeveloperRegisterRequest extends OfUser {
  /** Name that users see. Default: the nickname. */
  @IsOptional() @IsLine(100) @IsNotBlank() display_name?: string | null;
  /**
   * Unique nickname: 3 to 30 characters of a-z, 0-9, `_` and `-`. Default: the user's current
   * nickname, or one that is derived from `display_name`.
   */
  @IsOptional() @IsText(100) nickname?: string | null;
  @IsOptional() @IsOneOf(DEVELOPER_TIERS, 'explorer') tier?: DeveloperTier | null;
  @IsOptional() @IsWebsite() website?: string | null;
  @IsOptional() @IsProse(2_000) description?: string | null;
}

export class DeveloperRegistrationResponse {
  @ApiProperty({ enum: DEVELOPER_TIERS }) tier!: DeveloperTier;
  /** End of the paid year; null for a free tier. */
  tier_expires_at!: Date | null;
  nickname!: string;
  registered_at!: Date;
}

export class DeveloperProfileResponse {
  platform_id!: string;
  email!: string;
  nickname!: string | null;
  display_name!: string;
  website!: string | null;
  description!: string;
  @ApiProperty({ enum: DEVELOPER_TIERS }) tier!: DeveloperTier;
  /**
   * End of the paid year, at which the next year is charged; null for a free tier or a tier that an
   * administrator gave.
   */
  tier_expires_at!: Date | null;
  @ApiProperty({ type: 'integer' }) apps_count!: number;
  /** Maximum number of apps; null: no limit. */
  @ApiProperty({ type: 'integer' }) max_apps!: number | null;
  /** Credits that the developer earned with all calls so far. */
  @ApiProperty({ type: 'integer' }) total_earnings!: number;
  registered_at!: Date;
}

export class UpdateTierRequest extends OfUser {
  @IsOneOf(DEVELOPER_TIERS) tier!: DeveloperTier;
}

export class UpdateTierResponse {
  @ApiProperty({ enum: DEVELOPER_TIERS }) tier!: DeveloperTier;
  /** End of the paid year, at which the next year is charged; null: the tier does not expire. */
  expires_at!: Date | null;
}

export class GiveTierRequest {
  /** User id of the developer. */
  @IsLine(64) user_id!: string;
  @IsOneOf(DEVELOPER_TIERS) tier!: DeveloperTier;
}

export class GiveTierResponse {
  user_id!: string;
  @ApiProperty({ enum: DEVELOPER_TIERS }) tier!: DeveloperTier;
  /** User id of the administrator, or the name of the backend. */
  comped_by!: string;
}

/** Price and limits of a tier, as the operator of the platform configured them. */
export class DeveloperTierTerms {
  @ApiProperty({ enum: DEVELOPER_TIERS }) tier!: DeveloperTier;
  /** Percentage of the price of a call that the developer gets. */
  @ApiProperty({ type: 'integer' }) revenue_split_dev!: number;
  @ApiProperty({ type: 'integer' }) revenue_split_platform!: number;
  /** Maximum number of apps; null: no limit. */
  @ApiProperty({ type: 'integer' }) max_apps!: number | null;
  /** True if developers of this tier can request payouts. */
  payouts!: boolean;
  /** Number of days that analytics reach back. */
  @ApiProperty({ type: 'integer' }) analytics_days!: number;
  /** Rate limit for all apps of the developer together, over all callers. Null: no limit. */
  @ApiProperty({ type: 'integer' }) requests_per_minute!: number | null;
  /** Price of a year in credits. */
  @ApiProperty({ type: 'integer' }) tokens_per_year!: number;
  /** True if only administrators can give this tier. */
  admin_only!: boolean;
}

export class DeveloperConfigResponse {
  /** Lowest tier first. */
  tiers!: DeveloperTierTerms[];
  /** Smallest payout in credits. */
  @ApiProperty({ type: 'integer' }) min_payout!: number;
  /** Value of one credit in US dollars. */
  token_usd!: number;
}
