import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { OfUser } from '../of-user.dto.js';
import { WEBHOOK_CHANNELS, type WebhookChannel } from '../runtime/webhook-address.js';
import { NeedsOneOf } from '../schema-rules.js';
import { ACTION_TYPES, type ActionType, type ToolDefinition } from '../tool-manifest.js';
import { IsLine, IsOneOf, IsPattern, IsProse, IsQueryInteger, IsText, IsWholeNumber } from '../validators.js';
import { NewInVersion } from './new-in-version.dto.js';
import { IsPricingConfig, PRICING_MODELS, type PricingModel } from './pricing.js';
import { IsAppIcon, IsGitUrl, IsNotBlank, IsTags, IsWebsite } from './public-texts.js';

/**
 * `draft`, until it is submitted; `pending_review`, until an administrator decides; `active`: in the marketplace; `suspended`: taken out
 * of it, until it is submitted again.
 */
export const APP_STATUSES = ['draft', 'pending_review', 'active', 'suspended'] as const;
export type AppStatus = (typeof APP_STATUSES)[number];

const APP_ID = /^[a-z0-9][a-z0-9-]*[a-z0-9]$/;

class AppFields extends OfUser {
  /** The same as `name`, which it wins over where both are given. */
  @IsOptional() @IsLine(200) @IsNotBlank() display_name?: string | null;
  @IsOptional() @IsLine(200) @IsNotBlank() name?: string | null;
  @IsOptional() @IsLine(200) short_description?: string | null;
  @IsOptional() @IsProse(2_000) description?: string | null;
  @IsOptional() @IsProse(10_000) long_description?: string | null;
  @IsOptional() @IsLine(50) @IsNotBlank() category?: string | null;
  @IsOptional() @IsTags() tags?: string[] | null;
  @IsOptional() @IsAppIcon() icon?: string | null;
  @IsOptional() @IsGitUrl() git_url?: string | null;
  /** Where people read more about it. */
  @IsOptional() @IsWebsite() homepage?: string | null;
  /** @example MIT */
  @IsOptional() @IsLine(100) @IsNotBlank() license?: string | null;
  @IsOptional() @IsOneOf(PRICING_MODELS) pricing_model?: PricingModel | null;
  @IsOptional() @IsPricingConfig() pricing_config?: Record<string, unknown> | null;
}

/** With `name` or `display_name`. */
@NeedsOneOf('display_name', 'name')
export class AppCreateRequest extends AppFields {
  /** For good: it cannot be changed. */
  @IsPattern(APP_ID, { minLength: 2, maxLength: 64, example: 'invoices' }) app_id!: string;
}

/**
 * What is absent or null stays as it is, but for `icon`, `git_url`, `homepage`, `license` and `pricing_config`, which null takes away. Name,
 * prices and shares change only of a draft or a suspended app: 409 else.
 */
export class AppUpdateRequest extends AppFields {
  /** Percent of a price that the developer gets: at most what the tier allows, or what the app has had before. */
  @IsOptional() @IsWholeNumber(50, 95) revenue_split_dev?: number | null;
}

export class AppDeleteRequest extends OfUser {
  /** The `app_id`, to show that this app is meant. */
  @IsText(64) confirm_name!: string;
}

export class ListDeveloperAppsQuery {
  @IsQueryInteger({ minimum: 1, maximum: 500, default: 100 }) limit: number = 100;
  @IsQueryInteger({ minimum: 0, maximum: 1_000_000, default: 0 }) offset: number = 0;
}

export class AppResponse {
  app_id!: string;
  name!: string;
  /** The same as `name`. */
  display_name!: string;
  developer_id!: string;
  @ApiProperty({ enum: APP_STATUSES }) status!: AppStatus;
  short_description!: string;
  description!: string;
  long_description!: string;
  category!: string;
  tags!: string[];
  icon!: string | null;
  git_url!: string | null;
  homepage!: string | null;
  license!: string | null;
  @ApiProperty({ enum: PRICING_MODELS }) pricing_model!: PricingModel;
  pricing_config!: Record<string, unknown> | null;
  /** Percent of a price that the developer gets. */
  @ApiProperty({ type: 'integer' }) revenue_split_dev!: number;
  /** The version that runs; null before the first deploy has succeeded. */
  version!: string | null;
  /** Why the last review refused it. */
  reject_reason!: string | null;
  submitted_at!: Date | null;
  /** What the last review looked at, or looks at. */
  submitted_version!: string | null;
  /** Since when it is in the marketplace. */
  published_at!: Date | null;
  created_at!: Date;
  updated_at!: Date;
}

/** Where other systems call an app. */
export class AppWebhook {
  /** Without slashes at its ends. */
  path!: string;
  /** One of those that it takes. */
  method!: string;
  /** `draft` until the app is published. */
  @ApiProperty({ enum: WEBHOOK_CHANNELS }) channel!: WebhookChannel;
  /** @example https://panel.example.com/v1/ext/invoices/draft/webhook/payments */
  url!: string;
}

/** A version of an app in the marketplace that waits for a review. */
export class WaitingVersion {
  version!: string;
  since!: Date;
  /** What is new in it. */
  @ApiProperty({ type: NewInVersion }) waits_for!: NewInVersion;
}

export class ListedAppResponse extends AppResponse {
  /** Waits for a review, while `version` is served; null for none. */
  @ApiProperty({ type: WaitingVersion, nullable: true }) waiting!: WaitingVersion | null;
  /** Of the version that runs. Those of an app that is not published are at other addresses than when it is. */
  @ApiProperty({ type: () => [AppWebhook] }) webhooks!: AppWebhook[];
}

export class AppTool implements ToolDefinition {
  name!: string;
  description!: string;
  @ApiProperty({ enum: ACTION_TYPES }) action_type!: ActionType;
  params_schema!: Record<string, unknown>;
  return_schema!: Record<string, unknown> | null;
  required_scopes!: string[];
}

export class AppDetailResponse extends ListedAppResponse {
  /** The functions of the version that runs. */
  tools_json!: AppTool[];
  /** The whole manifest of the version that runs. */
  manifest_json!: Record<string, unknown> | null;
  /** Why nothing of an app that is not published runs, and what to do about it; null where it runs, or has no version that could. */
  stopped_reason!: string | null;
}

export class AppDeletedResponse {
  app_id!: string;
  /** @example deleted */
  status!: string;
  /** How many users had it installed. */
  @ApiProperty({ type: 'integer' }) installs_purged!: number;
}
