import { ApiProperty } from '@nestjs/swagger';
import { applyDecorators } from '@nestjs/common';
import { ArrayMaxSize, IsArray, IsOptional, ValidateBy } from 'class-validator';
import { ACTION_TYPES, type ActionType } from './tool-manifest.js';
import { ScopeConsent } from './marketplace/installs.dto.js';
import { isScope } from './permissions.dto.js';
import {
  DEFAULT_TENANT,
  IsAppId,
  IsLine,
  IsListOfTexts,
  IsOneOf,
  IsQueryInteger,
  IsTenantId,
  isAtMost,
} from './validators.js';

/** Characters. Longer than the ids of new apps, because older apps have longer ids. */
const MAX_LISTED = 200;

export class DisableBody {
  /** Id of the app. */
  @IsAppId() app_id!: string;
}

export class ExtensionFunction {
  /** Name of the function. */
  name!: string;
  /** Description of the function, for people and AI models. */
  description!: string;
  /** Effect of the function. */
  @ApiProperty({ enum: ACTION_TYPES }) action_type!: ActionType;
  /** JSON Schema 2020-12 of the parameters. */
  @ApiProperty({ type: 'object', additionalProperties: true }) params_schema!: Record<string, unknown>;
  /** Credits per call for this user; 0 if it is free. */
  @ApiProperty({ type: 'integer' }) price!: number;
}

/** Reasons why a user cannot call an app. */
export const EXTENSION_BLOCKS = [
  'disabled',
  'restricted',
  'suspended',
  'not_published',
  'not_agreed',
  'key_gone',
  'app_gone',
  'user_inactive',
] as const;
export type ExtensionBlock = (typeof EXTENSION_BLOCKS)[number];

export class InstalledExtension extends ScopeConsent {
  /** Id of the app. */
  app_id!: string;
  /** Name of the app, for people. */
  name!: string;
  /** Description of the app. */
  description!: string;
  /**
   * Functions that the user can call, of the version that runs. Empty while `blocked_by` names a
   * reason.
   */
  functions!: ExtensionFunction[];
  /**
   * Credits for each month in which the user calls the app; null if the app has no monthly price.
   */
  @ApiProperty({ type: 'integer', nullable: true }) monthly_price!: number | null;
  /** Number of the current price for this user; null if the app is free. */
  @ApiProperty({ type: 'integer', nullable: true }) price_version!: number | null;
  /**
   * Number of the price to which the user agreed. The user never pays more than this price. Null if
   * the user agreed to none.
   */
  @ApiProperty({ type: 'integer', nullable: true }) agreed_price_version!: number | null;
  /** Version that runs; null if none runs. */
  version!: string | null;
  /** Always true. */
  is_installed!: boolean;
  /** True if the user disabled the app. */
  is_disabled!: boolean;
  /**
   * Reason why the user cannot call the app; null if there is none. `disabled`: the user disabled
   * it. `restricted`: the tenant does not allow it to this user. `suspended`, `not_published`:
   * status of the app. `not_agreed`: the API key that installed it no longer exists. `key_gone`:
   * the API key that deployed it no longer exists. `app_gone`: the app that deployed it no longer
   * exists. `user_inactive`: the user cannot sign in.
   */
  @ApiProperty({ enum: EXTENSION_BLOCKS, nullable: true }) blocked_by!: ExtensionBlock | null;
  /**
   * True if an API key that no longer exists installed the app. It then does nothing for the user
   * until the user installs it again.
   */
  is_install_key_gone!: boolean;
}

export class MyDisabledExtension {
  /** Id of the app. */
  app_id!: string;
  /** True if the user disabled the app. */
  is_disabled!: boolean;
}

export class UserExtension {
  /** Id of the app. */
  app_id!: string;
  /** Name of the app, for people. */
  name!: string;
  /** Category of the app. */
  category!: string;
  /** True if the access policy of the tenant allows the user to call the app. */
  has_access!: boolean;
  /** False if the app is disabled for the user. */
  enabled!: boolean;
  /** `auto_system`: a system app, which every user has. `user`: the user installed it. */
  @ApiProperty({ enum: ['auto_system', 'user'] }) source!: 'auto_system' | 'user';
  /** True for a system app, which every user has. */
  system!: boolean;
  /**
   * Reason why the user cannot call the app, as in `GET /v1/me/extensions`; null if there is none.
   */
  @ApiProperty({ enum: EXTENSION_BLOCKS, nullable: true }) blocked_by!: ExtensionBlock | null;
}

/** Internal: asks which apps of a user cannot be called. */
export class WithheldAppsRequest {
  /** Id of the user. */
  @IsLine(64) user_id!: string;
  @IsListOfTexts(1_000, 64) app_ids!: string[];
}

/** Internal: the apps that the user cannot call. */
export class WithheldAppsResponse {
  app_ids!: string[];
}

export class UserExtensionsResponse {
  /** Apps of the user. */
  extensions!: UserExtension[];
}

export class DisabledExtensionResponse {
  /** Id of the app. */
  app_id!: string;
  /** True if the app is disabled for the user. */
  disabled!: boolean;
}

export const ACCESS_MODES = ['public', 'restricted'] as const;
export type AccessMode = (typeof ACCESS_MODES)[number];

export class AccessExceptions {
  /** Names of roles that cannot call the app. */
  denied_roles!: string[];
  /** Ids of users that cannot call the app. */
  denied_users!: string[];
}

/**
 * Users of a tenant that can call an app. `public`: all users. `restricted`: users with all
 * `required_scopes`. Users and roles in `exceptions` never can.
 */
export class AccessPolicy {
  /**
   * `public`: all users of the tenant can call the app. `restricted`: only users with all
   * `required_scopes`.
   */
  @ApiProperty({ enum: ACCESS_MODES }) mode!: AccessMode;
  /** Scopes that a user must have in the mode `restricted`. */
  required_scopes!: string[];
  /** Roles and users that cannot call the app in any mode. */
  exceptions!: AccessExceptions;
}

/** Replaces the whole policy. A list that is absent becomes empty. */
export class AccessPolicyRequest {
  /**
   * `public`: all users of the tenant can call the app. `restricted`: only users with all
   * `required_scopes`.
   */
  @IsOneOf(ACCESS_MODES) mode!: AccessMode;
  /** Required for the mode `restricted`, and allowed only with it. */
  @IsListOf('areScopes', isScope, 'a scope such as invoices:read', 50) required_scopes?: string[];
  /** Names of roles that cannot call the app. */
  @IsListOf('areRoles', (value) => isAtMost(50, value), 'the name of a role', 50) denied_roles?: string[];
  /** Ids of users that cannot call the app. */
  @IsListOf('areUsers', (value) => isAtMost(64, value), 'the id of a user', 1_000) denied_users?: string[];
}

export class AccessPolicyResponse extends AccessPolicy {
  /** Id of the app. */
  app_id!: string;
}

export class ListAccessPoliciesQuery {
  /** Tenant of the policies. */
  @IsTenantId() tenant_id: string = DEFAULT_TENANT;
  /** Maximum number of items in the answer. */
  @IsQueryInteger({ minimum: 1, maximum: 1_000, default: 1_000 }) limit: number = 1_000;
  /** Number of items to skip. */
  @IsQueryInteger({ minimum: 0, maximum: 1_000_000, default: 0 }) offset: number = 0;
}

export class ListExtensionUsersQuery {
  /** Maximum number of items in the answer. */
  @IsQueryInteger({ minimum: 1, maximum: MAX_LISTED, default: 50 }) limit: number = 50;
  /** Number of items to skip. */
  @IsQueryInteger({ minimum: 0, maximum: 1_000_000, default: 0 }) offset: number = 0;
}

export class ExtensionUser {
  /** Id of the user. */
  id!: string;
  /** Same as `id`. */
  platform_id!: string;
  /** Email address. */
  email!: string;
  /** Name of the user's role. */
  role!: string;
  /** Result of the access policy for the user. */
  @ApiProperty({ enum: ['granted', 'denied'] }) access!: 'granted' | 'denied';
}

export class ExtensionUsersResponse {
  /** Users, ordered by id. */
  users!: ExtensionUser[];
}

export class ResetConversationResponse {
  /**
   * Result of the request.
   * @example reset
   */
  status!: string;
  /** Number of deleted entries of the conversation; 0 if there were none. */
  @ApiProperty({ type: 'integer' }) keys_deleted!: number;
  /** True if a running session of a conversation was ended. */
  session_restarted!: boolean;
}

function IsListOf(name: string, isItem: (value: unknown) => boolean, what: string, most: number): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: [String], maxItems: most, required: false }),
    IsOptional(),
    IsArray({ message: 'Input should be a valid list' }),
    ArrayMaxSize(most, { message: `List should have at most ${most} items` }),
    ValidateBy(
      { name, validator: { validate: (value) => Array.isArray(value) && value.every(isItem) } },
      { message: `Each item should be ${what}`, context: { type: 'value_error' } },
    ),
  );
}
