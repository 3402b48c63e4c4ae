import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsOptional, ValidateBy } from 'class-validator';
import { AppWebhook } from './developer/apps.dto.js';
import { isRecord } from './issues-within.js';
import { NewInVersion } from './developer/new-in-version.dto.js';
import { ActingUserBody } from './acting-user-body.dto.js';
import { IsAppVersion } from './registry/apps.dto.js';
import { NeedsOneOf } from './schema-rules.js';
import { IsOneOf, IsPattern, IsProse, IsQueryInteger, IsText, IsTrueOrFalse } from './validators.js';

/**
 * Statuses of a deploy: `pending` → `validating` → `syncing` → `success` or `failed`. `waiting`:
 * the version of a published app needs a review, because it requests more than the version that
 * runs; the review ends in `success` or `failed`. `superseded`: the version does not run, because a
 * newer deploy succeeded or waits instead of it, or because the app left the marketplace.
 * `warning`: only in records of external pipelines.
 */
export const DEPLOY_STATUSES = [
  'pending',
  'validating',
  'syncing',
  'waiting',
  'success',
  'warning',
  'failed',
  'superseded',
] as const;
export type DeployStatus = (typeof DEPLOY_STATUSES)[number];

const RECORDED_STATUSES = ['success', 'warning', 'failed'] as const;
const MAX_CHANGELOG_LENGTH = 10_000;
/** Characters. A message can contain a whole report of checks. */
const MAX_ERROR_MESSAGE_LENGTH = 65_536;
export const MAX_ICON_BYTES = 65_536;
export const MAX_MANIFEST_JSON_BYTES = 1024 * 1024;

/**
 * Requests a deploy (`version`, `changelog`, `ir_dict`). A backend can also record a finished
 * deploy of an external pipeline (`commit_sha`).
 */
@NeedsOneOf('version', 'ir_dict', 'commit_sha', 'status', 'error_message')
export class CreateDeployRequest extends ActingUserBody {
  /** Version to deploy. It can be omitted if `ir_dict` is present, which contains the version. */
  @IsOptional() @IsAppVersion() version?: string;
  /** Changes in this version, for people. */
  @IsOptional() @IsProse(MAX_CHANGELOG_LENGTH) changelog?: string;
  /** The app document. If it is absent, the stored document of `version` is deployed. */
  @IsOptional() @IsRawObject() ir_dict?: Record<string, unknown>;
  /** Commit that an external pipeline deployed. */
  @IsOptional()
  @IsPattern(/^[0-9A-Za-z._-]*$/, { minLength: 1, maxLength: 64, example: '9fceb02' })
  commit_sha?: string;
  /** Result of a deploy that an external pipeline recorded. */
  @IsOptional() @IsOneOf(RECORDED_STATUSES) status?: (typeof RECORDED_STATUSES)[number];
  /** Reason of the failure of a recorded deploy. */
  @IsOptional() @IsText(MAX_ERROR_MESSAGE_LENGTH) error_message?: string;
}

export const DEPLOY_STEPS = ['accepted', 'validated', 'held', 'served', 'released'] as const;
export type DeployStepName = (typeof DEPLOY_STEPS)[number];

export class DeployStep {
  /**
   * Step of a deploy. `accepted`: the request is stored. `validated`: the document is valid.
   * `held`: the Registry has stored the manifest. `served`: the gateway runs the version.
   * `released`: the Registry offers the version to sessions.
   */
  @ApiProperty({ enum: DEPLOY_STEPS }) name!: DeployStepName;
  /** Time at which the step finished; null if it has not finished. */
  at!: Date | null;
}

export class DeployResponse {
  /** Id of the deploy. */
  deploy_id!: string;
  /** Id of the app. */
  app_id!: string;
  /** Number of the deploy within the app, from 1. */
  @ApiProperty({ type: 'integer' }) number!: number;
  /** Deployed version; null if an external pipeline did not name it. */
  version!: string | null;
  /** Changes in this version, for people. */
  changelog!: string;
  /**
   * Status of the deploy. `waiting`: the version waits for a review. `superseded`: the version does
   * not run, because a newer deploy succeeded or waits instead of it, or because the app left the
   * marketplace. `warning`: only in records of external pipelines.
   */
  @ApiProperty({ enum: DEPLOY_STATUSES }) status!: DeployStatus;
  /** Time of the request. */
  created_at!: Date;
  /** Commit that an external pipeline deployed; null for all other deploys. */
  commit_sha!: string | null;
  /**
   * Reason of the failure. Also present if the last attempt failed and another follows; otherwise
   * empty.
   */
  error_message!: string;
  /** Time at which the deploy ended with any result; null while it runs. */
  deployed_at!: Date | null;
  /** Problems that do not prevent the deploy but may be mistakes. */
  warnings!: string[];
  /**
   * Differences to the version that runs, because of which the version waits or waited for a
   * review; null if no review is needed.
   */
  @ApiProperty({ type: NewInVersion, nullable: true }) waits_for!: NewInVersion | null;
  /** Number of failed attempts so far. */
  @ApiProperty({ type: 'integer' }) failed_attempts!: number;
  /** Finished and remaining steps, in order. */
  @ApiProperty({ type: [DeployStep] }) steps!: DeployStep[];
}

export class ListDeploysQuery extends ActingUserBody {
  /** Maximum number of items in the answer. */
  @IsQueryInteger({ minimum: 1, maximum: 200, default: 50 }) limit: number = 50;
  /** Number of items to skip. */
  @IsQueryInteger({ minimum: 0, maximum: 1_000_000, default: 0 }) offset: number = 0;
}

/**
 * Changes the icon, the manifest or the kind of an app. A field that is absent or null keeps its
 * value.
 */
export class SyncManifestRequest {
  /** SVG text of at most 64 KiB. It is sanitised before it is stored. */
  @IsOptional() @IsText(MAX_ICON_BYTES) icon_svg?: string | null;
  /**
   * Manifest of a version, as an object or as JSON text. At most 1 MiB without whitespace between
   * its parts.
   */
  @IsOptional() @IsManifestJson() manifest_json?: Record<string, unknown> | string | null;
  /** True makes it a system app: every user has it and cannot remove it. */
  @IsOptional() @IsTrueOrFalse() system?: boolean | null;
}

export class SyncManifestResponse {
  /** True if something changed. */
  updated!: boolean;
}

/** The `data` of a successful call of `deploy_ir` of the extension `developer`. */
export class DeployReceipt {
  /** Id of the app. */
  app_id!: string;
  /** Time of the deploy. */
  deployed_at!: Date;
  /** Number of steps in all functions and handlers, including nested steps. */
  @ApiProperty({ type: 'integer' }) steps_registered!: number;
  /**
   * Version of the document format.
   * @example 1.0
   */
  ir_version!: string;
  /** Deployed version of the app. */
  commit!: string;
  /** `waiting`: the version waits for a review, and the previous version continues to run. */
  @ApiProperty({ enum: ['deployed', 'waiting'] }) status!: 'deployed' | 'waiting';
  /**
   * Differences to the version that runs, because of which the version waits for a review; null if
   * it does not wait.
   */
  @ApiProperty({ type: NewInVersion, nullable: true }) waits_for!: NewInVersion | null;
  /** Always `ok`. */
  validation!: 'ok';
  /** True if the Registry serves the functions of this version. */
  tools_synced!: boolean;
  /** True if the panels of the document are stored; false if it has none. */
  panels_synced!: boolean;
  /** True if the icon of the document is stored; false if it has none. */
  icon_synced!: boolean;
  /** True if the gateway serves the manifest of this version. */
  manifest_synced!: boolean;
  /** Always null: documents have no migrations. */
  migrations_applied!: null;
  /** Addresses at which other systems can call the app now. */
  @ApiProperty({ type: () => [AppWebhook] }) webhooks!: AppWebhook[];
  /**
   * Problems that do not prevent the deploy but may be mistakes, and the limits of the app's
   * permissions for its developer.
   */
  warnings!: string[];
  /** True if this version was already deployed, so that nothing changed. */
  unchanged!: boolean;
}

/**
 * The value must be an object, and the route gets it exactly as it was sent. class-transformer
 * would remove keys that it considers suspicious, so the route must check the whole object itself.
 */
export function IsRawObject(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: 'object', additionalProperties: true }),
    Transform(({ obj, key }: { obj: Record<string, unknown>; key: string }) => obj[key]),
    ValidateBy(
      { name: 'isObject', validator: { validate: isRecord } },
      { message: 'Input should be a valid dictionary', context: { type: 'dict_type' } },
    ),
  );
}

function IsManifestJson(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ oneOf: [{ type: 'object', additionalProperties: true }, { type: 'string' }] }),
    Transform(({ obj, key }: { obj: Record<string, unknown>; key: string }) => obj[key]),
    ValidateBy(
      { name: 'isManifestJson', validator: { validate: (value) => typeof value === 'string' || isRecord(value) } },
      { message: 'Input should be an object or its JSON text', context: { type: 'dict_type' } },
    ),
  );
}
