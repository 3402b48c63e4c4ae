import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { ActingUserBody } from '../acting-user-body.dto.js';
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
export class DeveloperRegisterRequest extends ActingUserBody {
  /** Name that users see. Default: the nickname. */
  @IsOptional() @IsLine(100) @IsNotBlank() display_name?: string | null;
  /**
   * Unique nickname: 3 to 30 characters of a-z, 0-9, `_` and `-`. Default: the user's current
   * nickname, or one that is derived from `display_name`.
   */
  @IsOptional() @IsText(100) nickname?: string | null;
  /** Tier of the developer. A paid tier is charged from the wallet. */
  @IsOptional() @IsOneOf(DEVELOPER_TIERS, 'explorer') tier?: DeveloperTier | null;
  /** Web page of the developer. */
  @IsOptional() @IsWebsite() website?: string | null;
  /** Description of the developer, which users see. */
  @IsOptional() @IsProse(2_000) description?: string | null;
}

export class DeveloperRegistrationResponse {
  /** Tier of the developer. */
  @ApiProperty({ enum: DEVELOPER_TIERS }) tier!: DeveloperTier;
  /** End of the paid year; null for a free tier. */
  tier_expires_at!: Date | null;
  /** Nickname of the developer. */
  nickname!: string;
  /** Time of the registration as a developer. */
  registered_at!: Date;
}

export class DeveloperProfileResponse {
  /** User id of the developer. */
  platform_id!: string;
  /** Email address. */
  email!: string;
  /** Nickname of the user; null if there is none. */
  nickname!: string | null;
  /** Name that users see. */
  display_name!: string;
  /** Web page of the developer; null if there is none. */
  website!: string | null;
  /** Description of the developer, which users see. */
  description!: string;
  /** Tier of the developer. */
  @ApiProperty({ enum: DEVELOPER_TIERS }) tier!: DeveloperTier;
  /**
   * End of the paid year, at which the next year is charged; null for a free tier or a tier that an
   * administrator gave.
   */
  tier_expires_at!: Date | null;
  /** Number of the developer's apps. */
  @ApiProperty({ type: 'integer' }) apps_count!: number;
  /** Maximum number of apps; null: no limit. */
  @ApiProperty({ type: 'integer' }) max_apps!: number | null;
  /** Credits that the developer earned with all calls so far. */
  @ApiProperty({ type: 'integer' }) total_earnings!: number;
  /** Time of the registration as a developer. */
  registered_at!: Date;
}

export class UpdateTierRequest extends ActingUserBody {
  /** Tier of the developer. */
  @IsOneOf(DEVELOPER_TIERS) tier!: DeveloperTier;
}

export class UpdateTierResponse {
  /** Tier of the developer. */
  @ApiProperty({ enum: DEVELOPER_TIERS }) tier!: DeveloperTier;
  /** End of the paid year, at which the next year is charged; null: the tier does not expire. */
  expires_at!: Date | null;
}

export class GiveTierRequest {
  /** User id of the developer. */
  @IsLine(64) user_id!: string;
  /** Tier of the developer. */
  @IsOneOf(DEVELOPER_TIERS) tier!: DeveloperTier;
}

export class GiveTierResponse {
  /** Id of the user. */
  user_id!: string;
  /** Tier of the developer. */
  @ApiProperty({ enum: DEVELOPER_TIERS }) tier!: DeveloperTier;
  /** User id of the administrator, or the name of the backend. */
  comped_by!: string;
}

/** Price and limits of a tier, as the operator of the platform configured them. */
export class DeveloperTierTerms {
  /** Tier of the developer. */
  @ApiProperty({ enum: DEVELOPER_TIERS }) tier!: DeveloperTier;
  /** Percentage of the price of a call that the developer gets. */
  @ApiProperty({ type: 'integer' }) revenue_split_dev!: number;
  /** Percentage of the price of a call that the platform keeps. */
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
