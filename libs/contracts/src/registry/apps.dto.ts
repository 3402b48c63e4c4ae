import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsOptional, IsString, MaxLength, MinLength } from 'class-validator';
import { NeedsOneOf } from '../schema-rules.js';
import { ACTION_TYPES, type ActionType } from '../tool-manifest.js';
import { IsLine, IsOneOf, IsPattern, IsQueryInteger, IsText } from '../validators.js';
import { IsJsonObject } from './json-object.js';

/**
 * Statuses of an app. Only `active` apps are in the catalog; all others are visible only to their
 * owner.
 */
export const REGISTRY_APP_STATUSES = ['draft', 'pending_review', 'active', 'suspended'] as const;
export type RegistryAppStatus = (typeof REGISTRY_APP_STATUSES)[number];

const APP_ID = /^[a-z0-9][a-z0-9_-]{1,63}$/;
/** Characters that need no escaping in URLs and headers. */
export const APP_VERSION = /^[0-9A-Za-z][0-9A-Za-z.+_-]{0,63}$/;
const USER_ID = /^[\w-]{1,50}$/;
const MAX_CONFIG_BYTES = 16 * 1024;
const MAX_WORDS = 50;

export const IsAppVersion = (): PropertyDecorator => IsPattern(APP_VERSION, { maxLength: 64, example: '1.2.0' });
export const IsPlatformId = (): PropertyDecorator =>
  IsPattern(USER_ID, { maxLength: 50, example: 'usr_01h455vb4pex5vsknk084sn02q' });

class RegistryAppFields {
  /** Name of the app, for people. */
  @IsOptional() @IsDisplayName() display_name?: string | null;
  /** Same as `display_name`. If both are present, `display_name` is used. */
  @IsOptional() @IsDisplayName() name?: string | null;
  /** Description of the app. */
  @IsOptional() @IsText(2_000) description?: string | null;
  /** Category of the app. */
  @IsOptional() @IsLine(50) category?: string | null;
  /** User id of the owner. Only backends and administrators of the platform can set it. */
  @IsOptional() @IsPlatformId() owner_id?: string | null;
  /** Only backends and administrators of the platform can set it. */
  @IsOptional() @IsOneOf(REGISTRY_APP_STATUSES) status?: RegistryAppStatus | null;
  /** Scopes that the app needs. */
  @IsOptional() @IsWords() required_scopes?: string[] | null;
  /** Free settings for the runtime of the app. Replaced as a whole; null is the same as `{}`. */
  @IsOptional() @IsJsonObject(MAX_CONFIG_BYTES) config?: Record<string, unknown> | null;
}

@NeedsOneOf('display_name', 'name')
export class CreateRegistryAppRequest extends RegistryAppFields {
  /** Id of the app. It cannot be changed. */
  @IsPattern(APP_ID, { minLength: 2, maxLength: 64, example: 'invoices' }) app_id!: string;
}

/**
 * Changes an app. A field that is absent or null keeps its value, except that null removes
 * `owner_id` and empties `config`. If the platform has pushed the manifest of the app, its owner
 * can change only `config`.
 */
export class UpdateRegistryAppRequest extends RegistryAppFields {
  /** Version to serve from now on. Its manifest must be stored. */
  @IsOptional() @IsAppVersion() version?: string | null;
}

export class RegistryToolSummary {
  /** Name of the function. */
  name!: string;
  /** Effect of the function. */
  @ApiProperty({ enum: ACTION_TYPES }) action_type!: ActionType;
}

export class RegistryApp {
  /** Id of the app. */
  app_id!: string;
  /** Name of the app, for people. */
  display_name!: string;
  /** Same as `display_name`. */
  name!: string;
  /** Description of the app. */
  description!: string;
  /** Category of the app. */
  category!: string;
  /** Version whose manifest is served; null if there is none. */
  version!: string | null;
  /** Status of the app. Only `active` apps are in the catalog. */
  @ApiProperty({ enum: REGISTRY_APP_STATUSES }) status!: RegistryAppStatus;
  /** User id of the owner; null if the app has no owner. */
  owner_id!: string | null;
  /** Scopes that the app needs. */
  required_scopes!: string[];
  /** Free settings for the runtime of the app. */
  config!: Record<string, unknown>;
  /** Functions of the served version. `GET …/tools` has the details. */
  tools!: RegistryToolSummary[];
  /** Time of creation. */
  created_at!: Date;
  /** Time of the last change. */
  updated_at!: Date;
}

export class ListRegistryAppsQuery {
  /** Only apps of this owner. */
  @IsOptional() @IsPlatformId() owner_id?: string;
  /** Only apps with this status; `all` for every status. */
  @IsOneOf([...REGISTRY_APP_STATUSES, 'all'], 'active') status: RegistryAppStatus | 'all' = 'active';
  /** Maximum number of items in the answer. */
  @IsQueryInteger({ minimum: 1, maximum: 200, default: 50 }) limit: number = 50;
  /** Number of items to skip. */
  @IsQueryInteger({ minimum: 0, maximum: 1_000_000, default: 0 }) offset: number = 0;
}

export class DeleteRegistryAppResponse {
  /** Id of the app. */
  app_id!: string;
  /**
   * Result of the request.
   * @example deleted
   */
  status!: string;
  /** Number of users that had the app installed. */
  @ApiProperty({ type: 'integer' }) installs_removed!: number;
}

function IsDisplayName(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ minLength: 1, example: 'Invoices' }),
    IsLine(255),
    MinLength(1, { message: 'String should have at least 1 character' }),
  );
}

export function IsWords(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: [String], maxItems: MAX_WORDS }),
    IsArray({ message: 'Input should be a valid list' }),
    ArrayMaxSize(MAX_WORDS, { message: `List should have at most ${MAX_WORDS} items` }),
    IsString({ each: true, message: 'Input should be a list of strings' }),
    MaxLength(130, { each: true, message: 'Each string should have at most 130 characters' }),
  );
}
