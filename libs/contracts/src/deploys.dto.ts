import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsOptional, ValidateBy } from 'class-validator';
import { AppWebhook } from './developer/apps.dto.js';
import { isRecord } from './issues-within.js';
import { NewInVersion } from './developer/new-in-version.dto.js';
import { OfUser } from './of-user.dto.js';
import { IsAppVersion } from './registry/apps.dto.js';
import { NeedsOneOf } from './schema-rules.js';
import { IsOneOf, IsPattern, IsProse, IsQueryInteger, IsText, IsTrueOrFalse } from './validators.js';

/**
 * `pending` → `validating` → `syncing` → `success` or `failed`. A version that asks for more than the one of an app in the marketplace is
 * `waiting` for a review, and `success` or `failed` by that. `superseded`, when it is not served: a newer deploy succeeded, or waits in its
 * place, or the app left the marketplace while it waited. `warning` is said only by a pipeline outside that records a finished deploy.
 */
export const DEPLOY_STATUSES = ['pending', 'validating', 'syncing', 'waiting', 'success', 'warning', 'failed', 'superseded'] as const;
export type DeployStatus = (typeof DEPLOY_STATUSES)[number];

const RECORDED_STATUSES = ['success', 'warning', 'failed'] as const;
const MAX_CHANGELOG_LENGTH = 10_000;
/** A report of checks may come as the message. */
const MAX_ERROR_MESSAGE_LENGTH = 65_536;
export const MAX_ICON_BYTES = 65_536;
export const MAX_MANIFEST_JSON_BYTES = 1024 * 1024;

/** A deploy to be done (`version`, `changelog`, `ir_dict`), or from a trusted backend the record of one that is finished (`commit_sha`). */
@NeedsOneOf('version', 'ir_dict', 'commit_sha', 'status', 'error_message')
export class CreateDeployRequest extends OfUser {
  /** What to deploy. May be left out beside `ir_dict`, which says it too. */
  @IsOptional() @IsAppVersion() version?: string;
  /** What is new, for whoever looks through the deploys. */
  @IsOptional() @IsProse(MAX_CHANGELOG_LENGTH) changelog?: string;
  /** The app document; without it the stored one of `version` is deployed. */
  @IsOptional() @IsRawObject() ir_dict?: Record<string, unknown>;
  /** The commit that a pipeline outside has deployed. */
  @IsOptional() @IsPattern(/^[0-9A-Za-z._-]*$/, { minLength: 1, maxLength: 64, example: '9fceb02' }) commit_sha?: string;
  @IsOptional() @IsOneOf(RECORDED_STATUSES) status?: (typeof RECORDED_STATUSES)[number];
  @IsOptional() @IsText(MAX_ERROR_MESSAGE_LENGTH) error_message?: string;
}

export const DEPLOY_STEPS = ['accepted', 'validated', 'held', 'served', 'released'] as const;
export type DeployStepName = (typeof DEPLOY_STEPS)[number];

export class DeployStep {
  /**
   * `accepted`; `validated`: the document is good; `held`: the Registry has the manifest; `served`: the gateway runs the version;
   * `released`: sessions find it in the Registry.
   */
  @ApiProperty({ enum: DEPLOY_STEPS }) name!: DeployStepName;
  /** Null while it is still to come. */
  at!: Date | null;
}

export class DeployResponse {
  deploy_id!: string;
  app_id!: string;
  /** Counts the deploys of the app, from 1. */
  @ApiProperty({ type: 'integer' }) number!: number;
  /** Null where a pipeline outside did not say. */
  version!: string | null;
  changelog!: string;
  @ApiProperty({ enum: DEPLOY_STATUSES }) status!: DeployStatus;
  created_at!: Date;
  commit_sha!: string | null;
  /** Why it failed, or why the last attempt did and another one follows; empty otherwise. */
  error_message!: string;
  /** When it ended, whatever the outcome; null while it is under way. */
  deployed_at!: Date | null;
  warnings!: string[];
  /** What is new in the version, for which it waits, or has waited, for a review; null where it needs none. */
  @ApiProperty({ type: NewInVersion, nullable: true }) waits_for!: NewInVersion | null;
  /** How often it was tried so far, by those attempts that did not get through. */
  @ApiProperty({ type: 'integer' }) failed_attempts!: number;
  /** What is done, in the order in which it is. */
  @ApiProperty({ type: [DeployStep] }) steps!: DeployStep[];
}

export class ListDeploysQuery extends OfUser {
  @IsQueryInteger({ minimum: 1, maximum: 200, default: 50 }) limit: number = 50;
  @IsQueryInteger({ minimum: 0, maximum: 1_000_000, default: 0 }) offset: number = 0;
}

/** What is absent or null stays as it is. */
export class SyncManifestRequest {
  /** Sanitised before it is stored. At most 64 KiB. */
  @IsOptional() @IsText(MAX_ICON_BYTES) icon_svg?: string | null;
  /** The manifest of a version, as an object or as its text. At most 1 MiB without the spaces between its parts. */
  @IsOptional() @IsManifestJson() manifest_json?: Record<string, unknown> | string | null;
  /** Whether every user has the app and cannot remove it. */
  @IsOptional() @IsTrueOrFalse() system?: boolean | null;
}

export class SyncManifestResponse {
  /** Whether anything is another than before. */
  updated!: boolean;
}

/** The `data` of a successful call to `deploy_ir` of the extension `developer`. */
export class DeployReceipt {
  app_id!: string;
  deployed_at!: Date;
  /** Of all functions and handlers, nested ones included. */
  @ApiProperty({ type: 'integer' }) steps_registered!: number;
  /** @example 1.0 */
  ir_version!: string;
  /** The version of the app. */
  commit!: string;
  /** `waiting`: the version waits for a review, and the one before runs on. */
  @ApiProperty({ enum: ['deployed', 'waiting'] }) status!: 'deployed' | 'waiting';
  /** What is new in it, where it waits; else null. */
  @ApiProperty({ type: NewInVersion, nullable: true }) waits_for!: NewInVersion | null;
  validation!: 'ok';
  /** Whether the Registry serves the functions of this version. */
  tools_synced!: boolean;
  /** Whether the panels of the document are stored; false when it has none. */
  panels_synced!: boolean;
  /** Whether the icon of the document is stored; false when it has none. */
  icon_synced!: boolean;
  /** Whether the gateway serves the manifest of this version. */
  manifest_synced!: boolean;
  /** There are none for a document. */
  migrations_applied!: null;
  /** Where other systems call the app now. */
  @ApiProperty({ type: () => [AppWebhook] }) webhooks!: AppWebhook[];
  /** What is not wrong, but perhaps not meant; also how far it acts for who deployed it. */
  warnings!: string[];
  /** Whether this version was deployed already, so that nothing was done. */
  unchanged!: boolean;
}

/** An object as it was sent, for a reader that judges all of it itself: class-transformer would drop keys that it finds suspicious. */
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
