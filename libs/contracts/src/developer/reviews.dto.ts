import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsAppVersion } from '../registry/apps.dto.js';
import { IsOneOf, IsPattern, IsProse, IsQueryInteger, IsText, IsTrueOrFalse } from '../validators.js';
import { APP_STATUSES, type AppStatus } from './apps.dto.js';
import { NewInVersion } from './new-in-version.dto.js';
import { PRICING_MODELS, type PricingModel } from './pricing.js';
import { IsNotBlank } from './public-texts.js';

/** Something that a review asks for. */
export class AppCheck {
  /** @example successful_deploy */
  check!: string;
  ok!: boolean;
  /** Whether the app cannot be submitted without it; the others are advice. */
  required!: boolean;
  /** What is asked for. */
  message!: string;
}

export class AppSubmitResponse {
  app_id!: string;
  @ApiProperty({ enum: APP_STATUSES }) status!: AppStatus;
  submitted_at!: Date;
  /** What will be reviewed: a later deploy does not change it. */
  version!: string;
  checks!: AppCheck[];
}

export class AppStatusResponse {
  app_id!: string;
  @ApiProperty({ enum: APP_STATUSES }) status!: AppStatus;
}

export class ListPendingAppsQuery {
  @IsQueryInteger({ minimum: 1, maximum: 500, default: 100 }) limit: number = 100;
  @IsQueryInteger({ minimum: 0, maximum: 1_000_000, default: 0 }) offset: number = 0;
}

export class PendingAppResponse {
  app_id!: string;
  name!: string;
  /** The same as `name`. */
  display_name!: string;
  developer_id!: string;
  short_description!: string;
  description!: string;
  category!: string;
  git_url!: string | null;
  submitted_at!: Date;
  submitted_version!: string;
  /** Of what would be published: the content of the version, with the name, the icon and the prices of the app. Approving and refusing name it. */
  sha256!: string;
  /** What is served meanwhile, of an app that is in the marketplace; else null. */
  served_version!: string | null;
  /** What is new in the version beside the one that is served; null for an app that is not in the marketplace yet. */
  @ApiProperty({ type: NewInVersion, nullable: true }) waits_for!: NewInVersion | null;
  /** Where the version may send requests, `*` for everywhere. Null: anywhere, for one from before there were such lists, or without a document. */
  @ApiProperty({ type: [String], nullable: true }) hosts!: string[] | null;
  /** What of its context (`ctx`) the version may use. Null: everything, for one from before there were such lists, or without a document. */
  @ApiProperty({ type: [String], nullable: true }) capabilities!: string[] | null;
  /** How users will pay for the app. */
  @ApiProperty({ enum: PRICING_MODELS }) pricing_model!: PricingModel;
  /** Prices in credits: `tool_prices` by function, or `monthly_price`. */
  pricing_config!: Record<string, unknown> | null;
  /** Percent of a price that the developer gets. */
  @ApiProperty({ type: 'integer' }) revenue_split_dev!: number;
}

export class ShowPendingAppQuery {
  /**
   * The version to look at: 404 when another one waits by now.
   * @example 1.2.0
   */
  @IsOptional() @IsAppVersion() version?: string;
}

/** A module of the code of a version. */
export class PendingModule {
  name!: string;
  /** Of its source, as UTF-8. */
  bytes!: number;
  /** Of its source. */
  sha256!: string;
}

/** What waits, as it would be published. */
export class PendingContentResponse extends PendingAppResponse {
  /** What it asks its users for. */
  requested_scopes!: string[];
  /** The icon that the app has by now. */
  icon_svg!: string | null;
  /** The document, with its code; of the code without source maps. Null for a version whose manifest came from a pipeline outside. */
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true }) document!: Record<string, unknown> | null;
  /** The functions, where there is no document. */
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true }) manifest!: Record<string, unknown> | null;
  /** The modules of the code. */
  modules!: PendingModule[];
}

export class ApproveAppResponse extends AppStatusResponse {
  /** What runs from now on: the version that was submitted. */
  version!: string;
}

/** What was looked at, as the list of what waits tells it. */
export class NamedContent {
  /**
   * The version that was looked at: 409 when it is another by now.
   * @example 1.2.0
   */
  @IsOptional() @IsAppVersion() version?: string;
  /**
   * What was looked at: 409 when it is something else by now. Needed, with `version`, for a version of an app that is in the marketplace, and
   * for an app of which something else was in review before.
   */
  @IsOptional() @IsPattern(/^[0-9a-f]{64}$/, { maxLength: 64 }) sha256?: string;
}

export class ApproveAppRequest extends NamedContent {}

export class RejectAppRequest extends NamedContent {
  /** For the developer. */
  @IsProse(500) @IsNotBlank() reason!: string;
}

export class RejectAppResponse extends AppStatusResponse {
  reject_reason!: string;
}

const GIVEN_STATUSES = ['active', 'suspended', 'draft'] as const;

/** `version` and `sha256` are for `active`: needed where that would publish something else than was there, and not what is in review for the first time. */
export class SetAppStatusRequest extends NamedContent {
  @IsOneOf(GIVEN_STATUSES) status!: (typeof GIVEN_STATUSES)[number];
}

export class DeleteAnyAppRequest {
  /** The `app_id`, to show that this app is meant. */
  @IsText(64) confirm_name!: string;
  /** Deletes it whatever its status is; without it only a draft or a suspended app is. */
  @IsTrueOrFalse() @ApiProperty({ required: false, default: false }) force: boolean = false;
}
