import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsAppVersion } from '../registry/apps.dto.js';
import { IsOneOf, IsPattern, IsProse, IsQueryInteger, IsText, IsTrueOrFalse } from '../validators.js';
import { APP_STATUSES, type AppStatus } from './apps.dto.js';
import { NewInVersion } from './new-in-version.dto.js';
import { PRICING_MODELS, type PricingModel } from './pricing.js';
import { IsNotBlank } from './public-texts.js';

/** A requirement of the review. */
export class AppCheck {
  /**
   * Name of the requirement.
   * @example successful_deploy
   */
  check!: string;
  /** True if the requirement is met. */
  ok!: boolean;
  /** True if the app cannot be submitted without it. False: a recommendation. */
  required!: boolean;
  /** Description of the requirement, for people. */
  message!: string;
}

export class AppSubmitResponse {
  /** Id of the app. */
  app_id!: string;
  /**
   * Status of the app. `draft`: not submitted yet. `pending_review`: waits for the decision of an
   * administrator. `active`: in the marketplace. `suspended`: removed from the marketplace until it
   * is submitted again.
   */
  @ApiProperty({ enum: APP_STATUSES }) status!: AppStatus;
  /** Time of the last submission. */
  submitted_at!: Date;
  /** Version that is reviewed. A later deploy does not change it. */
  version!: string;
  /** Requirements of the review, with their results. */
  checks!: AppCheck[];
}

export class AppStatusResponse {
  /** Id of the app. */
  app_id!: string;
  /**
   * Status of the app. `draft`: not submitted yet. `pending_review`: waits for the decision of an
   * administrator. `active`: in the marketplace. `suspended`: removed from the marketplace until it
   * is submitted again.
   */
  @ApiProperty({ enum: APP_STATUSES }) status!: AppStatus;
}

export class ListPendingAppsQuery {
  /** Maximum number of items in the answer. */
  @IsQueryInteger({ minimum: 1, maximum: 500, default: 100 }) limit: number = 100;
  /** Number of items to skip. */
  @IsQueryInteger({ minimum: 0, maximum: 1_000_000, default: 0 }) offset: number = 0;
}

export class PendingAppResponse {
  /** Id of the app. */
  app_id!: string;
  /** Name of the app, for people. */
  name!: string;
  /** Same as `name`. */
  display_name!: string;
  /** User id of the developer. */
  developer_id!: string;
  /** Description in one line. */
  short_description!: string;
  /** Description of the app. */
  description!: string;
  /** Category of the app. */
  category!: string;
  /** Address of the git repository; null if there is none. */
  git_url!: string | null;
  /** Time of the last submission. */
  submitted_at!: Date;
  /** Version that waits for the review. */
  submitted_version!: string;
  /**
   * SHA-256 of the content that would be published: the content of the version with the name, the
   * icon and the prices of the app. Send it with the approval or the rejection.
   */
  sha256!: string;
  /**
   * Version of a published app that runs during the review; null for an app that is not published.
   */
  served_version!: string | null;
  /** Differences to the version that runs; null for an app that is not published. */
  @ApiProperty({ type: NewInVersion, nullable: true }) waits_for!: NewInVersion | null;
  /**
   * Hosts to which the version can send requests; `*` is any host. Null if the version has no
   * document, so that nothing of it runs.
   */
  @ApiProperty({ type: [String], nullable: true }) hosts!: string[] | null;
  /**
   * Capabilities of the context (`ctx`) that the version can use. Null if the version has no
   * document, so that nothing of it runs.
   */
  @ApiProperty({ type: [String], nullable: true }) capabilities!: string[] | null;
  /** Pricing model of the app. */
  @ApiProperty({ enum: PRICING_MODELS }) pricing_model!: PricingModel;
  /** Prices in credits: `tool_prices` by function, or `monthly_price`. */
  pricing_config!: Record<string, unknown> | null;
  /** Percentage of a price that the developer gets. */
  @ApiProperty({ type: 'integer' }) revenue_split_dev!: number;
}

export class ShowPendingAppQuery {
  /**
   * Version to show. The answer is 404 if another version waits now.
   * @example 1.2.0
   */
  @IsOptional() @IsAppVersion() version?: string;
}

/** A code module of a version. */
export class PendingModule {
  /** Name of the module. */
  name!: string;
  /** Size of the source as UTF-8. */
  bytes!: number;
  /** SHA-256 of the source. */
  sha256!: string;
}

/** The content that would be published. */
export class PendingContentResponse extends PendingAppResponse {
  /** Scopes that the version requests from its users. */
  requested_scopes!: string[];
  /** Current icon of the app. */
  icon_svg!: string | null;
  /**
   * The app document with its code, without source maps. Null for a version that an external
   * pipeline recorded.
   */
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true }) document!: Record<
    string,
    unknown
  > | null;
  /** Functions of a version without a document; null otherwise. */
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true }) manifest!: Record<
    string,
    unknown
  > | null;
  /** Code modules of the version. */
  modules!: PendingModule[];
}

export class ApproveAppResponse extends AppStatusResponse {
  /** Version that runs from now on: the submitted one. */
  version!: string;
}

/** The content that the administrator reviewed, as the list of pending apps shows it. */
export class NamedContent {
  /**
   * Version that was reviewed. The answer is 409 if another version waits now.
   * @example 1.2.0
   */
  @IsOptional() @IsAppVersion() version?: string;
  /**
   * The `sha256` of the reviewed content. The answer is 409 if the content has changed. Required,
   * together with `version`, for a version of a published app, and for an app whose submitted
   * content has changed since an earlier review.
   */
  @IsOptional() @IsPattern(/^[0-9a-f]{64}$/, { maxLength: 64 }) sha256?: string;
}

export class ApproveAppRequest extends NamedContent {}

export class RejectAppRequest extends NamedContent {
  /** Reason of the rejection, for the developer. */
  @IsProse(500) @IsNotBlank() reason!: string;
}

export class RejectAppResponse extends AppStatusResponse {
  /** Reason of the rejection. */
  reject_reason!: string;
}

const GIVEN_STATUSES = ['active', 'suspended', 'draft'] as const;

/**
 * Sets the status of an app. `version` and `sha256` apply to `active`: they are required if this
 * publishes new content, except for the first review of an app.
 */
export class SetAppStatusRequest extends NamedContent {
  /** New status of the app. */
  @IsOneOf(GIVEN_STATUSES) status!: (typeof GIVEN_STATUSES)[number];
}

export class DeleteAnyAppRequest {
  /** The `app_id`, as a confirmation that this app is to be deleted. */
  @IsText(64) confirm_name!: string;
  /** True deletes the app in any status. By default only a draft or a suspended app is deleted. */
  @IsTrueOrFalse() @ApiProperty({ required: false, default: false }) force: boolean = false;
}
