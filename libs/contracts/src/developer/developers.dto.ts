import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { OfUser } from '../of-user.dto.js';
import { NeedsOneOf } from '../schema-rules.js';
import { IsLine, IsOneOf, IsProse, IsText } from '../validators.js';
import { IsNotBlank, IsWebsite } from './public-texts.js';

/** What a developer may do and earns depends on it; `partner` is given by administrators only. */
export const DEVELOPER_TIERS = ['explorer', 'indie', 'studio', 'partner'] as const;
export type DeveloperTier = (typeof DEVELOPER_TIERS)[number];

/** At least one of `display_name` and `nickname`. */
@NeedsOneOf('display_name', 'nickname')
export class DeveloperRegisterRequest extends OfUser {
  /** What users see; the nickname unless told. */
  @IsOptional() @IsLine(100) @IsNotBlank() display_name?: string | null;
  /** The handle; 3 to 30 characters of a-z, 0-9, `_` and `-`. Unless told, the one that the user has, or one made of `display_name`. */
  @IsOptional() @IsText(100) nickname?: string | null;
  @IsOptional() @IsOneOf(DEVELOPER_TIERS, 'explorer') tier?: DeveloperTier | null;
  @IsOptional() @IsWebsite() website?: string | null;
  @IsOptional() @IsProse(2_000) description?: string | null;
}

export class DeveloperRegistrationResponse {
  @ApiProperty({ enum: DEVELOPER_TIERS }) tier!: DeveloperTier;
  /** When the year ends that was paid; null for a tier that is free. */
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
  /** When the year ends that was paid, and the next one is paid; null for a tier that is free, or was given. */
  tier_expires_at!: Date | null;
  @ApiProperty({ type: 'integer' }) apps_count!: number;
  /** How many apps the tier allows; null is no limit. */
  @ApiProperty({ type: 'integer' }) max_apps!: number | null;
  /** Credits: the developer's shares of all calls so far. */
  @ApiProperty({ type: 'integer' }) total_earnings!: number;
  registered_at!: Date;
}

export class UpdateTierRequest extends OfUser {
  @IsOneOf(DEVELOPER_TIERS) tier!: DeveloperTier;
}

export class UpdateTierResponse {
  @ApiProperty({ enum: DEVELOPER_TIERS }) tier!: DeveloperTier;
  /** When the year ends that was paid, and the next one is paid; null: it does not expire. */
  expires_at!: Date | null;
}

export class GiveTierRequest {
  /** The developer. */
  @IsLine(64) user_id!: string;
  @IsOneOf(DEVELOPER_TIERS) tier!: DeveloperTier;
}

export class GiveTierResponse {
  user_id!: string;
  @ApiProperty({ enum: DEVELOPER_TIERS }) tier!: DeveloperTier;
  /** The administrator, or the name of the trusted backend. */
  comped_by!: string;
}

/** What a tier allows, which the operator of the platform decides, and what it costs. */
export class DeveloperTierTerms {
  @ApiProperty({ enum: DEVELOPER_TIERS }) tier!: DeveloperTier;
  /** Percent of the price of a call that the developer gets. */
  @ApiProperty({ type: 'integer' }) revenue_split_dev!: number;
  @ApiProperty({ type: 'integer' }) revenue_split_platform!: number;
  /** Null is no limit. */
  @ApiProperty({ type: 'integer' }) max_apps!: number | null;
  /** Whether earnings are paid out, and not only kept. */
  payouts!: boolean;
  /** How many days analytics go back. */
  @ApiProperty({ type: 'integer' }) analytics_days!: number;
  /** Of all apps of the developer together, whoever calls them. Null is no limit. */
  @ApiProperty({ type: 'integer' }) requests_per_minute!: number | null;
  /** Credits. */
  @ApiProperty({ type: 'integer' }) tokens_per_year!: number;
  /** Whether only administrators give it. */
  admin_only!: boolean;
}

export class DeveloperConfigResponse {
  /** From the lowest. */
  tiers!: DeveloperTierTerms[];
  /** Credits. */
  @ApiProperty({ type: 'integer' }) min_payout!: number;
  /** What a credit is worth in USD. */
  token_usd!: number;
}
