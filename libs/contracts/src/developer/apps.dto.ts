import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { ActingUserBody } from '../acting-user-body.dto.js';
import { WEBHOOK_CHANNELS, type WebhookChannel } from '../runtime/webhook-address.js';
import { NeedsOneOf } from '../schema-rules.js';
import { ACTION_TYPES, type ActionType, type ToolDefinition } from '../tool-manifest.js';
import { IsLine, IsOneOf, IsPattern, IsProse, IsQueryInteger, IsText, IsWholeNumber } from '../validators.js';
import { NewInVersion } from './new-in-version.dto.js';
import { IsPricingConfig, PRICING_MODELS, type PricingModel } from './pricing.js';
import { IsAppIcon, IsGitUrl, IsNotBlank, IsTags, IsWebsite } from './public-texts.js';

/**
 * Statuses of an app. `draft`: not submitted yet. `pending_review`: waits for the decision of an
 * administrator. `active`: in the marketplace. `suspended`: removed from the marketplace until it
 * is submitted again.
 */
export const APP_STATUSES = ['draft', 'pending_review', 'active', 'suspended'] as const;
export type AppStatus = (typeof APP_STATUSES)[number];

const APP_ID = /^[a-z0-9][a-z0-9-]*[a-z0-9]$/;

class AppFields extends ActingUserBody {
  /** Same as `name`. If both are present, `display_name` is used. */
  @IsOptional() @IsLine(200) @IsNotBlank() display_name?: string | null;
  /** Name of the app, for people. */
  @IsOptional() @IsLine(200) @IsNotBlank() name?: string | null;
  /** Description in one line, for lists. */
  @IsOptional() @IsLine(200) short_description?: string | null;
  /** Description of the app. */
  @IsOptional() @IsProse(2_000) description?: string | null;
  /** Detailed description, for the page of the app. */
  @IsOptional() @IsProse(10_000) long_description?: string | null;
  /** Category in the marketplace. */
  @IsOptional() @IsLine(50) @IsNotBlank() category?: string | null;
  /** Tags for the search. */
  @IsOptional() @IsTags() tags?: string[] | null;
  /** Icon: an https URL, an emoji or the name of an icon. */
  @IsOptional() @IsAppIcon() icon?: string | null;
  /** The https or ssh address of the git repository, without a password. */
  @IsOptional() @IsGitUrl() git_url?: string | null;
  /** Web page with more information about the app. */
  @IsOptional() @IsWebsite() homepage?: string | null;
  /**
   * License of the app.
   * @example MIT
   */
  @IsOptional() @IsLine(100) @IsNotBlank() license?: string | null;
  /** Pricing model of the app. */
  @IsOptional() @IsOneOf(PRICING_MODELS) pricing_model?: PricingModel | null;
  /** Prices in credits: `tool_prices` by function, or `monthly_price`. */
  @IsOptional() @IsPricingConfig() pricing_config?: Record<string, unknown> | null;
}

/** A new app. `name` or `display_name` is required. */
@NeedsOneOf('display_name', 'name')
export class AppCreateRequest extends AppFields {
  /** Id of the app. It cannot be changed. */
  @IsPattern(APP_ID, { minLength: 2, maxLength: 64, example: 'invoices' }) app_id!: string;
}

/**
 * Changes an app. A field that is absent or null keeps its value, except that null removes `icon`,
 * `git_url`, `homepage`, `license` and `pricing_config`. The name, the prices and the revenue share
 * can only change while the app is a draft or suspended; otherwise the answer is 409.
 */
export class AppUpdateRequest extends AppFields {
  /**
   * Percentage of a price that the developer gets: at most the share of the tier, or the current
   * share of the app.
   */
  @IsOptional() @IsWholeNumber(50, 95) revenue_split_dev?: number | null;
}

export class AppDeleteRequest extends ActingUserBody {
  /** The `app_id`, as a confirmation that this app is to be deleted. */
  @IsText(64) confirm_name!: string;
}

export class ListDeveloperAppsQuery {
  /** Maximum number of items in the answer. */
  @IsQueryInteger({ minimum: 1, maximum: 500, default: 100 }) limit: number = 100;
  /** Number of items to skip. */
  @IsQueryInteger({ minimum: 0, maximum: 1_000_000, default: 0 }) offset: number = 0;
}

export class AppResponse {
  /** Id of the app. */
  app_id!: string;
  /** Name of the app, for people. */
  name!: string;
  /** Same as `name`. */
  display_name!: string;
  /** User id of the developer. */
  developer_id!: string;
  /**
   * Status of the app. `draft`: not submitted yet. `pending_review`: waits for the decision of an
   * administrator. `active`: in the marketplace. `suspended`: removed from the marketplace until it
   * is submitted again.
   */
  @ApiProperty({ enum: APP_STATUSES }) status!: AppStatus;
  /** Description in one line. */
  short_description!: string;
  /** Description of the app. */
  description!: string;
  /** Detailed description. */
  long_description!: string;
  /** Category of the app. */
  category!: string;
  /** Tags for the search. */
  tags!: string[];
  /** Icon: an https URL, an emoji or the name of an icon; null if there is none. */
  icon!: string | null;
  /** Address of the git repository; null if there is none. */
  git_url!: string | null;
  /** Web page with more information about the app; null if there is none. */
  homepage!: string | null;
  /** License of the app; null if there is none. */
  license!: string | null;
  /** Pricing model of the app. */
  @ApiProperty({ enum: PRICING_MODELS }) pricing_model!: PricingModel;
  /** Prices in credits: `tool_prices` by function, or `monthly_price`. */
  pricing_config!: Record<string, unknown> | null;
  /** Percentage of a price that the developer gets. */
  @ApiProperty({ type: 'integer' }) revenue_split_dev!: number;
  /** Version that runs; null before the first successful deploy. */
  version!: string | null;
  /** Reason why the last review rejected the app; null if it did not. */
  reject_reason!: string | null;
  /** Time of the last submission. */
  submitted_at!: Date | null;
  /** Version that is in review, or that was in the last review. */
  submitted_version!: string | null;
  /** Time since which the app is in the marketplace. */
  published_at!: Date | null;
  /** Time of creation. */
  created_at!: Date;
  /** Time of the last change. */
  updated_at!: Date;
}

/** Address at which other systems can call the app. */
export class AppWebhook {
  /** Path of the webhook, without slashes at the beginning and the end. */
  path!: string;
  /** An HTTP method that the webhook accepts. */
  method!: string;
  /** `draft` until the app is published, then `live`. */
  @ApiProperty({ enum: WEBHOOK_CHANNELS }) channel!: WebhookChannel;
  /**
   * Full address of the webhook.
   * @example https://panel.example.com/v1/ext/invoices/draft/webhook/payments
   */
  url!: string;
}

/** A version of a published app that waits for a review. */
export class WaitingVersion {
  /** Version that waits. */
  version!: string;
  /** Time since which it waits. */
  since!: Date;
  /** New permissions and changes of the version that need the review. */
  @ApiProperty({ type: NewInVersion }) waits_for!: NewInVersion;
}

export class ListedAppResponse extends AppResponse {
  /** Version that waits for a review while `version` continues to run; null if none waits. */
  @ApiProperty({ type: WaitingVersion, nullable: true }) waiting!: WaitingVersion | null;
  /** Webhooks of the version that runs. Their addresses change when the app is published. */
  @ApiProperty({ type: () => [AppWebhook] }) webhooks!: AppWebhook[];
}

export class AppTool implements ToolDefinition {
  /** Name of the function. */
  name!: string;
  /** Description of the function, for people and AI models. */
  description!: string;
  /** Effect of the function. */
  @ApiProperty({ enum: ACTION_TYPES }) action_type!: ActionType;
  /** JSON Schema 2020-12 of the parameters. */
  params_schema!: Record<string, unknown>;
  /** JSON Schema 2020-12 of the result; null if the app declares none. */
  return_schema!: Record<string, unknown> | null;
  /** Scopes that the caller must have. `*` alone: none. */
  required_scopes!: string[];
}

export class AppDetailResponse extends ListedAppResponse {
  /** Functions of the version that runs. */
  tools_json!: AppTool[];
  /** Complete manifest of the version that runs. */
  manifest_json!: Record<string, unknown> | null;
  /**
   * Reason why an unpublished app does not run, and the step that fixes it; null if it runs, or if
   * it has no version that could run.
   */
  stopped_reason!: string | null;
}

export class AppDeletedResponse {
  /** Id of the app. */
  app_id!: string;
  /**
   * Result of the request.
   * @example deleted
   */
  status!: string;
  /** Number of users that had the app installed. */
  @ApiProperty({ type: 'integer' }) installs_purged!: number;
}
