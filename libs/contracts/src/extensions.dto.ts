import { ApiProperty } from '@nestjs/swagger';
import { applyDecorators } from '@nestjs/common';
import { ArrayMaxSize, IsArray, IsOptional, ValidateBy } from 'class-validator';
import { ACTION_TYPES, type ActionType } from './tool-manifest.js';
import { ScopeConsent } from './marketplace/installs.dto.js';
import { isScope } from './permissions.dto.js';
import { DEFAULT_TENANT, IsAppId, IsLine, IsListOfTexts, IsOneOf, IsQueryInteger, IsTenantId, isAtMost } from './validators.js';

/** Wider than what a new app may be called, since older apps are called otherwise. */
const MAX_LISTED = 200;

export class DisableBody {
  @IsAppId() app_id!: string;
}

export class ExtensionFunction {
  name!: string;
  description!: string;
  @ApiProperty({ enum: ACTION_TYPES }) action_type!: ActionType;
  /** JSON Schema 2020-12 of the params. */
  @ApiProperty({ type: 'object', additionalProperties: true }) params_schema!: Record<string, unknown>;
  /** Credits for a call by this user; 0 for nothing. */
  @ApiProperty({ type: 'integer' }) price!: number;
}

/** Why an app that a user has cannot be called by them. */
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
  app_id!: string;
  name!: string;
  description!: string;
  /** Of the version that runs: what the user may call. None while `blocked_by` says why. */
  functions!: ExtensionFunction[];
  /** Credits for a month in which this user calls it; null unless it is paid for by the month. */
  @ApiProperty({ type: 'integer', nullable: true }) monthly_price!: number | null;
  /** Of what it costs this user by now; null for nothing. */
  @ApiProperty({ type: 'integer', nullable: true }) price_version!: number | null;
  /** The price that the user agreed to: they pay no more. Null for none. */
  @ApiProperty({ type: 'integer', nullable: true }) agreed_price_version!: number | null;
  /** The version that runs; null without one. */
  version!: string | null;
  is_installed!: boolean;
  /** Whether the user switched it off. */
  is_disabled!: boolean;
  /**
   * Why the user cannot call it, null where they can: they switched it off (`disabled`), the tenant closed it to them (`restricted`), it is
   * `suspended` or `not_published`, an API key is gone that installed it (`not_agreed`) or that deployed it (`key_gone`), so is an app that
   * deployed it (`app_gone`), or the user may not sign in (`user_inactive`).
   */
  @ApiProperty({ enum: EXTENSION_BLOCKS, nullable: true }) blocked_by!: ExtensionBlock | null;
  /** Whether it was installed by an API key that is gone by now, and does nothing for the user until they install it again. */
  is_install_key_gone!: boolean;
}

export class MyDisabledExtension {
  app_id!: string;
  is_disabled!: boolean;
}

export class UserExtension {
  app_id!: string;
  name!: string;
  category!: string;
  /** Whether the rules of the tenant let the user call it. */
  has_access!: boolean;
  /** False when it is switched off for the user. */
  enabled!: boolean;
  /** `auto_system` for what everybody has, otherwise `user`. */
  @ApiProperty({ enum: ['auto_system', 'user'] }) source!: 'auto_system' | 'user';
  system!: boolean;
  /** Why the user cannot call it, null where they can: as in `GET /v1/me/extensions`. */
  @ApiProperty({ enum: EXTENSION_BLOCKS, nullable: true }) blocked_by!: ExtensionBlock | null;
}

/** Internal: of which apps of a user the Registry asks whether they may be called. */
export class WithheldAppsRequest {
  @IsLine(64) user_id!: string;
  @IsListOfTexts(1_000, 64) app_ids!: string[];
}

/** Internal: those of them that the user may not call. */
export class WithheldAppsResponse {
  app_ids!: string[];
}

export class UserExtensionsResponse {
  extensions!: UserExtension[];
}

export class DisabledExtensionResponse {
  app_id!: string;
  disabled!: boolean;
}

export const ACCESS_MODES = ['public', 'restricted'] as const;
export type AccessMode = (typeof ACCESS_MODES)[number];

export class AccessExceptions {
  denied_roles!: string[];
  denied_users!: string[];
}

/** Who of a tenant may call an app: `public` everybody, `restricted` who holds all of `required_scopes`; the exceptions nobody. */
export class AccessPolicy {
  @ApiProperty({ enum: ACCESS_MODES }) mode!: AccessMode;
  required_scopes!: string[];
  exceptions!: AccessExceptions;
}

/** Replaces the policy as a whole: what is absent is empty. */
export class AccessPolicyRequest {
  @IsOneOf(ACCESS_MODES) mode!: AccessMode;
  /** Needed with the mode `restricted`, and only there. */
  @IsListOf('areScopes', isScope, 'a scope such as invoices:read', 50) required_scopes?: string[];
  /** Names of roles. */
  @IsListOf('areRoles', (value) => isAtMost(50, value), 'the name of a role', 50) denied_roles?: string[];
  /** Ids of users. */
  @IsListOf('areUsers', (value) => isAtMost(64, value), 'the id of a user', 1_000) denied_users?: string[];
}

export class AccessPolicyResponse extends AccessPolicy {
  app_id!: string;
}

export class ListAccessPoliciesQuery {
  @IsTenantId() tenant_id: string = DEFAULT_TENANT;
  @IsQueryInteger({ minimum: 1, maximum: 1_000, default: 1_000 }) limit: number = 1_000;
  @IsQueryInteger({ minimum: 0, maximum: 1_000_000, default: 0 }) offset: number = 0;
}

export class ListExtensionUsersQuery {
  @IsQueryInteger({ minimum: 1, maximum: MAX_LISTED, default: 50 }) limit: number = 50;
  @IsQueryInteger({ minimum: 0, maximum: 1_000_000, default: 0 }) offset: number = 0;
}

export class ExtensionUser {
  id!: string;
  /** The same as `id`. */
  platform_id!: string;
  email!: string;
  role!: string;
  @ApiProperty({ enum: ['granted', 'denied'] }) access!: 'granted' | 'denied';
}

export class ExtensionUsersResponse {
  /** By id. */
  users!: ExtensionUser[];
}

export class ResetConversationResponse {
  /** @example reset */
  status!: string;
  /** How much of the conversation was kept here and is gone now; 0 when there was nothing. */
  @ApiProperty({ type: 'integer' }) keys_deleted!: number;
  /** Whether a session of a conversation was running and was ended. */
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
