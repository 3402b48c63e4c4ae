import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { ACTION_TYPES, type ActionType } from '../tool-manifest.js';
import { IsOneOf, IsQueryInteger, IsText } from '../validators.js';

export const MARKETPLACE_SORTS = ['relevance', 'actions', 'installs', 'rating', 'newest', 'name'] as const;
export type MarketplaceSort = (typeof MARKETPLACE_SORTS)[number];

/** Pages are asked for by `limit` and `offset`, or by `page` and `per_page`; where one of the latter two is given, they count. */
export class ListMarketplaceAppsQuery {
  /** Apps with every one of these words, forms of a word and small typing errors included. */
  @IsOptional() @IsText(200) search?: string;
  /** A category by its id, label or an older spelling; one that neither the catalogue nor any app has is refused. */
  @IsOptional() @IsText(50) category?: string;
  /** Default: `relevance` for a search, otherwise `actions`. Without a search `relevance` is the same as `actions`. */
  @IsOptional() @IsOneOf(MARKETPLACE_SORTS) sort?: MarketplaceSort;
  @IsQueryInteger({ minimum: 1, maximum: 100, default: 20 }) limit: number = 20;
  @IsQueryInteger({ minimum: 0, maximum: 10_000, default: 0 }) offset: number = 0;
  @IsOptional() @IsQueryInteger({ minimum: 1, maximum: 200 }) page?: number;
  @IsOptional() @IsQueryInteger({ minimum: 1, maximum: 50 }) per_page?: number;
}

export class MarketplaceApp {
  app_id!: string;
  name!: string;
  /** The same as `name`. */
  display_name!: string;
  short_description!: string;
  category!: string;
  tags!: string[];
  /** The version that runs. */
  version!: string;
  developer_id!: string;
  @ApiProperty({ enum: ['free', 'per_action', 'subscription'] }) pricing_model!: string;
  @ApiProperty({ type: 'integer' }) install_count!: number;
  /** The mean of its ratings, from 1 to 5; 0 before the first. */
  rating!: number;
  /** The same as `rating`. */
  avg_rating!: number;
  @ApiProperty({ type: 'integer' }) review_count!: number;
  featured!: boolean;
  /** Always false: what everybody has is not listed. */
  system!: boolean;
  /** An SVG image. */
  icon_url!: string;
  /** The same as `icon_url`. */
  icon!: string;
  /** Whether the caller has it; null when nobody is signed in. */
  is_installed!: boolean | null;
}

export class MarketplaceTool {
  name!: string;
  description!: string;
  @ApiProperty({ enum: ACTION_TYPES }) action_type!: ActionType;
  /** Tokens for a call; 0 for nothing. */
  @ApiProperty({ type: 'integer' }) price!: number;
}

export class MarketplaceAppDetail extends MarketplaceApp {
  description!: string;
  long_description!: string;
  /** The developer's name. */
  author!: string;
  /** That of the app, or else of its developer. */
  homepage!: string | null;
  license!: string | null;
  tools!: MarketplaceTool[];
  /** What the version asks for that runs now. */
  requested_scopes!: string[];
  /** What the caller agreed to by installing it; null unless they have it. */
  @ApiProperty({ type: [String], nullable: true }) granted_scopes!: string[] | null;
  /** What it asks for and the caller did not agree to yet, so that it waits for them to install it again; null unless they have it. */
  @ApiProperty({ type: [String], nullable: true }) missing_scopes!: string[] | null;
  /** Whether it was installed by an API key that is gone by now, and does nothing for the caller until they install it again; null unless they have it. */
  is_install_key_gone!: boolean | null;
  /** Tokens for a month; null unless it is paid for by the month. */
  @ApiProperty({ type: 'integer', nullable: true }) monthly_price!: number | null;
  /** Of what it costs by now: installing it with this agrees to that and to nothing newer. Null for nothing. */
  @ApiProperty({ type: 'integer', nullable: true }) price_version!: number | null;
  published_at!: Date;
  updated_at!: Date;
}

export class FeaturedAppsQuery {
  @IsQueryInteger({ minimum: 1, maximum: 20, default: 6 }) limit: number = 6;
}

export class MarketplaceCategory {
  id!: string;
  label!: string;
  /** How many apps the marketplace has in it. */
  @ApiProperty({ type: 'integer' }) count!: number;
}

export class MarketplaceCategoryEntry {
  id!: string;
  label!: string;
  description!: string;
  /** Older and other spellings that are taken for it. */
  aliases!: string[];
}

export class MarketplaceDeveloper {
  developer_id!: string;
  nickname!: string | null;
  display_name!: string;
  description!: string;
  website!: string | null;
  tier!: string;
  /** The most installed first; at most 100. */
  apps!: MarketplaceApp[];
  /** Of all their apps in the marketplace. */
  @ApiProperty({ type: 'integer' }) total_installs!: number;
  /** The mean of all ratings of these apps; 0 before the first. */
  avg_rating!: number;
}

export class MarketplaceWebhook {
  /** @example stripe/events */
  path!: string;
  /** @example POST */
  method!: string;
}
