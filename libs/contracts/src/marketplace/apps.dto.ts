import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { ACTION_TYPES, type ActionType } from '../tool-manifest.js';
import { IsOneOf, IsQueryInteger, IsText } from '../validators.js';

export const MARKETPLACE_SORTS = ['relevance', 'actions', 'installs', 'rating', 'newest', 'name'] as const;
export type MarketplaceSort = (typeof MARKETPLACE_SORTS)[number];

/**
 * Pages by `limit` and `offset`, or by `page` and `per_page`. If `page` or `per_page` is present,
 * `limit` and `offset` are ignored.
 */
export class ListMarketplaceAppsQuery {
  /**
   * Words to find. An app must match all of them; other forms of a word and small typing errors
   * also match.
   */
  @IsOptional() @IsText(200) search?: string;
  /**
   * Category, by id, label or an older spelling. A category that neither the catalogue nor any app
   * has is refused.
   */
  @IsOptional() @IsText(50) category?: string;
  /**
   * Order of the apps. Default: `relevance` with `search`, otherwise `actions`. Without `search`,
   * `relevance` is the same as `actions`.
   */
  @IsOptional() @IsOneOf(MARKETPLACE_SORTS) sort?: MarketplaceSort;
  /** Maximum number of items in the answer. */
  @IsQueryInteger({ minimum: 1, maximum: 100, default: 20 }) limit: number = 20;
  /** Number of items to skip. */
  @IsQueryInteger({ minimum: 0, maximum: 10_000, default: 0 }) offset: number = 0;
  /** Number of the page, from 1. */
  @IsOptional() @IsQueryInteger({ minimum: 1, maximum: 200 }) page?: number;
  /** Maximum number of items in a page. */
  @IsOptional() @IsQueryInteger({ minimum: 1, maximum: 50 }) per_page?: number;
}

export class MarketplaceApp {
  /** Id of the app. */
  app_id!: string;
  /** Name of the app, for people. */
  name!: string;
  /** Same as `name`. */
  display_name!: string;
  /** Description in one line. */
  short_description!: string;
  /** Category of the app. */
  category!: string;
  /** Tags for the search. */
  tags!: string[];
  /** Version that runs. */
  version!: string;
  /** User id of the developer. */
  developer_id!: string;
  /** Pricing model of the app. */
  @ApiProperty({ enum: ['free', 'per_action', 'subscription'] }) pricing_model!: string;
  /** Number of users with this app. */
  @ApiProperty({ type: 'integer' }) install_count!: number;
  /** Average rating from 1 to 5; 0 without ratings. */
  rating!: number;
  /** Same as `rating`. */
  avg_rating!: number;
  /** Number of reviews. */
  @ApiProperty({ type: 'integer' }) review_count!: number;
  /** True if the operator features the app. */
  featured!: boolean;
  /** Always false: system apps, which every user has, are not listed. */
  system!: boolean;
  /** The SVG image of the icon. */
  icon_url!: string;
  /** Same as `icon_url`. */
  icon!: string;
  /** True if the caller has installed the app; null without a signed-in caller. */
  is_installed!: boolean | null;
}

export class MarketplaceTool {
  /** Name of the function. */
  name!: string;
  /** Description of the function, for people and AI models. */
  description!: string;
  /** Effect of the function. */
  @ApiProperty({ enum: ACTION_TYPES }) action_type!: ActionType;
  /** Credits per call; 0 if it is free. */
  @ApiProperty({ type: 'integer' }) price!: number;
}

export class MarketplaceAppDetail extends MarketplaceApp {
  /** Description of the app. */
  description!: string;
  /** Detailed description. */
  long_description!: string;
  /** Name of the developer. */
  author!: string;
  /** Web page of the app, or of its developer if the app has none. */
  homepage!: string | null;
  /** License of the app; null if there is none. */
  license!: string | null;
  /** Functions of the version that runs. */
  tools!: MarketplaceTool[];
  /** Scopes that the version that runs requests from its users. */
  requested_scopes!: string[];
  /**
   * Scopes that the caller granted by installing the app; null if the caller has not installed it.
   */
  @ApiProperty({ type: [String], nullable: true }) granted_scopes!: string[] | null;
  /**
   * Scopes that the app requests and the caller has not granted. The app waits until the caller
   * installs it again. Null if the caller has not installed it.
   */
  @ApiProperty({ type: [String], nullable: true }) missing_scopes!: string[] | null;
  /**
   * True if an API key that no longer exists installed the app. It then does nothing for the caller
   * until the caller installs it again. Null if the caller has not installed it.
   */
  is_install_key_gone!: boolean | null;
  /** Credits per month; null if the app has no monthly price. */
  @ApiProperty({ type: 'integer', nullable: true }) monthly_price!: number | null;
  /**
   * Number of the current price. Install the app with this number to agree to this price and no
   * newer one. Null if the app is free.
   */
  @ApiProperty({ type: 'integer', nullable: true }) price_version!: number | null;
  /** Time since which the app is in the marketplace. */
  published_at!: Date;
  /** Time of the last change. */
  updated_at!: Date;
}

export class FeaturedAppsQuery {
  /** Maximum number of items in the answer. */
  @IsQueryInteger({ minimum: 1, maximum: 20, default: 6 }) limit: number = 6;
}

export class MarketplaceCategory {
  /** Id of the category. */
  id!: string;
  /** Name of the category, for people. */
  label!: string;
  /** Number of apps in this category in the marketplace. */
  @ApiProperty({ type: 'integer' }) count!: number;
}

export class MarketplaceCategoryEntry {
  /** Id of the category. */
  id!: string;
  /** Name of the category, for people. */
  label!: string;
  /** Description of the category. */
  description!: string;
  /** Other spellings that are accepted for this category. */
  aliases!: string[];
}

export class MarketplaceDeveloper {
  /** User id of the developer. */
  developer_id!: string;
  /** Nickname of the user; null if there is none. */
  nickname!: string | null;
  /** Name that users see. */
  display_name!: string;
  /** Description of the developer, which users see. */
  description!: string;
  /** Web page of the developer; null if there is none. */
  website!: string | null;
  /** Tier of the developer. */
  tier!: string;
  /** Apps with the most installs first; at most 100. */
  apps!: MarketplaceApp[];
  /** Sum of the installs of all apps of the developer in the marketplace. */
  @ApiProperty({ type: 'integer' }) total_installs!: number;
  /** Average of all ratings of these apps; 0 without ratings. */
  avg_rating!: number;
}

export class MarketplaceWebhook {
  /**
   * Path of the webhook.
   * @example stripe/events
   */
  path!: string;
  /**
   * HTTP method.
   * @example POST
   */
  method!: string;
}
