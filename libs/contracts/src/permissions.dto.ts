import { ApiProperty } from '@nestjs/swagger';
import { applyDecorators } from '@nestjs/common';
import { ArrayMaxSize, IsArray, IsObject, IsOptional, IsString, MinLength, ValidateBy } from 'class-validator';
import {
  isAtMost,
  IsEmailAddress,
  IsLine,
  IsNewPassword,
  IsOneOf,
  IsPattern,
  IsPersonName,
  IsQueryBoolean,
  IsQueryInteger,
  IsText,
  IsTrueOrFalse,
  IsWholeNumber,
} from './validators.js';

const SCOPE = /^(\*|[a-z0-9_-]{1,64}[:.]([a-z0-9_-]{1,64}|\*))$/;
const MAX_SCOPE_LENGTH = 129;
const MAX_SCOPES = 500;
const MAX_ATTRIBUTES_LENGTH = 16_384;

/** `*`, `users:*`, `users:read`, or the older `users.read`. */
export const isScope = (value: unknown): value is string => isAtMost(MAX_SCOPE_LENGTH, value) && SCOPE.test(value);

const IsScopes = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ type: [String], maxItems: MAX_SCOPES, example: ['users:read', 'apps:*'] }),
    IsArray({ message: 'Input should be a valid list' }),
    ArrayMaxSize(MAX_SCOPES, { message: `List should have at most ${MAX_SCOPES} items` }),
    ValidateBy(
      { name: 'areScopes', validator: { validate: (value) => Array.isArray(value) && value.every(isScope) } },
      { message: 'Each item should be a scope such as users:read, users:* or *', context: { type: 'value_error' } },
    ),
  );

/** Free keys and values; at most 16 KiB as JSON. */
const IsAttributes = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ type: 'object', additionalProperties: true }),
    IsObject({ message: 'Input should be a valid dictionary' }),
    ValidateBy(
      { name: 'isSmall', validator: { validate: (value) => JSON.stringify(value).length <= MAX_ATTRIBUTES_LENGTH } },
      { message: `Input should have at most ${MAX_ATTRIBUTES_LENGTH} characters as JSON`, context: { type: 'value_error' } },
    ),
  );

const IsTexts = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ type: [String], maxItems: 200 }),
    IsArray({ message: 'Input should be a valid list' }),
    ArrayMaxSize(200, { message: 'List should have at most 200 items' }),
    IsString({ each: true, message: 'Each item should be a valid string' }),
  );

/** An explicit null counts as absent. */
const IsNullable = (): PropertyDecorator => IsOptional();

export const CONFIRMATION_POLICIES = ['enforced', 'default_on', 'default_off', 'disabled'] as const;
type ConfirmationPolicy = (typeof CONFIRMATION_POLICIES)[number];

/** The role of administrators, which every tenant has. */
export const ADMIN_ROLE = 'admin';

/** What a new role has where nothing else is said. */
export const ROLE_DEFAULTS = {
  confirmation_policy: 'default_off',
  max_concurrent_tasks: 3,
  monthly_action_limit: 500,
  context_window: 20,
} as const;

export class RoleResponse {
  id!: string;
  tenant_id!: string;
  name!: string;
  display_name!: string;
  /** What every user of the role holds, now. */
  default_scopes!: string[];
  /** What a new user of the role has among their attributes, and what `cascade` writes into those of the role's users. */
  default_attributes!: Record<string, unknown>;
  default_extensions!: string[];
  @ApiProperty({ enum: CONFIRMATION_POLICIES }) confirmation_policy!: ConfirmationPolicy;
  @ApiProperty({ type: 'integer' }) max_concurrent_tasks!: number;
  /** 0 is no limit. */
  @ApiProperty({ type: 'integer' }) monthly_action_limit!: number;
  @ApiProperty({ type: 'integer' }) context_window!: number;
  /** System roles cannot be deleted. */
  is_system!: boolean;
  created_at!: Date;
}

export class UpdatedRoleResponse extends RoleResponse {
  /** How many users `cascade` changed. */
  @ApiProperty({ type: 'integer' }) cascaded_count!: number;
}

export class CreateRoleRequest {
  @IsPattern(/^[a-z][a-z0-9_-]{0,49}$/, { maxLength: 50, example: 'support' }) name!: string;
  @IsNullable() @IsLine(100) display_name?: string;
  @IsNullable() @IsScopes() default_scopes?: string[];
  @IsNullable() @IsAttributes() default_attributes?: Record<string, unknown>;
  @IsNullable() @IsTexts() default_extensions?: string[];
  @IsNullable() @IsOneOf(CONFIRMATION_POLICIES, ROLE_DEFAULTS.confirmation_policy) confirmation_policy?: ConfirmationPolicy;
  @IsNullable() @IsWholeNumber(1, 50, ROLE_DEFAULTS.max_concurrent_tasks) max_concurrent_tasks?: number;
  @IsNullable() @IsWholeNumber(0, 1_000_000_000, ROLE_DEFAULTS.monthly_action_limit) monthly_action_limit?: number;
  @IsNullable() @IsWholeNumber(5, 200, ROLE_DEFAULTS.context_window) context_window?: number;
}

export class UpdateRoleRequest {
  @IsNullable() @IsLine(100) display_name?: string;
  @IsNullable() @IsScopes() default_scopes?: string[];
  @IsNullable() @IsAttributes() default_attributes?: Record<string, unknown>;
  @IsNullable() @IsTexts() default_extensions?: string[];
  @IsNullable() @IsOneOf(CONFIRMATION_POLICIES) confirmation_policy?: ConfirmationPolicy;
  @IsNullable() @IsWholeNumber(1, 50) max_concurrent_tasks?: number;
  @IsNullable() @IsWholeNumber(0, 1_000_000_000) monthly_action_limit?: number;
  @IsNullable() @IsWholeNumber(5, 200) context_window?: number;
}

export class UpdateRoleQuery {
  /** Gives the users of the role what it says now: their own grants go, its default attributes are written over theirs. */
  @IsQueryBoolean(false) cascade: boolean = false;
}

export class DeletedResponse {
  /** @example deleted */
  status!: string;
  id!: string;
}

export class UserDetailResponse {
  id!: string;
  /** The same as `id`. */
  platform_id!: string;
  email!: string;
  /** Whether the person, or who created them, has confirmed the address. Without that an account cannot sign in or be given rights. */
  email_verified!: boolean;
  first_name!: string | null;
  last_name!: string | null;
  tenant_id!: string;
  agency_id!: string | null;
  role!: string;
  /** Granted to the user beside the defaults of the role. */
  scopes!: string[];
  /** Denied to the user, whatever grants them. */
  denied_scopes!: string[];
  /** What it all adds up to. */
  effective_scopes!: string[];
  attributes!: Record<string, unknown>;
  is_active!: boolean;
  /** @example email */
  auth_method!: string;
  created_at!: Date;
  last_login!: Date | null;
}

export class CreateUserRequest {
  @IsEmailAddress() email!: string;
  @IsNewPassword() password!: string;
  @IsNullable() @IsPersonName(100) first_name?: string;
  @IsNullable() @IsPersonName(100) last_name?: string;
  /** A role of the tenant; `user` unless told. */
  @IsNullable() @IsText(50) role?: string;
  @IsNullable() @IsScopes() scopes?: string[];
  @IsNullable() @IsAttributes() attributes?: Record<string, unknown>;
  @IsNullable() @IsText(50) agency_id?: string;
}

/** What is absent or null stays as it is, but for `agency_id`. Lists and attributes are replaced whole. */
export class UpdateUserRequest {
  @IsNullable() @IsText(50) role?: string;
  @IsNullable() @IsScopes() scopes?: string[];
  @IsNullable() @IsScopes() denied_scopes?: string[];
  /** Why, for the history of denials. */
  @IsNullable() @IsLine(500) reason?: string;
  @IsNullable() @IsAttributes() attributes?: Record<string, unknown>;
  @IsNullable() @IsTrueOrFalse() is_active?: boolean;
  /** Null: the user leaves their agency. */
  @IsNullable() @IsText(50) agency_id?: string | null;
}

export class ListUsersQuery {
  @IsOptional() @IsText(50) role?: string;
  @IsQueryBoolean(false) include_inactive: boolean = false;
  /** Any part of the address or the name; one or two characters find what begins with them. */
  @IsOptional() @IsText(200) search?: string;
  /** Who holds this scope, by role or by a grant of their own, denials aside. */
  @IsOptional() @IsText(130) scope?: string;
  @IsOptional() @IsQueryBoolean() is_active?: boolean;
  @IsQueryInteger({ minimum: 1, maximum: 200, default: 50 }) limit: number = 50;
  @IsQueryInteger({ minimum: 0, maximum: 1_000_000, default: 0 }) offset: number = 0;
}

export class UserListResponse {
  /** The newest first. */
  items!: UserDetailResponse[];
  /** How many match; counted up to 1000 beyond this page. */
  @ApiProperty({ type: 'integer' }) total!: number;
  /** False when there are more than `total`. */
  total_is_exact!: boolean;
  @ApiProperty({ type: 'integer' }) limit!: number;
  @ApiProperty({ type: 'integer' }) offset!: number;
}

export class DeleteUserQuery {
  /** Erases what is personal, for good. Without it the user is deactivated. */
  @IsQueryBoolean(false) permanent: boolean = false;
}

/** The tenant of scopes that every tenant sees. */
export const PLATFORM_SCOPES = '_platform_';

export class ScopeResponse {
  @ApiProperty({ type: 'integer' }) id!: number;
  /** @example users:read */
  name!: string;
  resource!: string;
  action!: string;
  display_name!: string;
  description!: string;
  /** @example platform */
  source!: string;
  source_id!: string | null;
  is_system!: boolean;
  /** `_platform_` for what every tenant sees. */
  tenant_id!: string;
  created_at!: Date;
}

export class ListScopesQuery {
  @IsOptional() @IsText(64) resource?: string;
  @IsOptional() @IsText(64) source?: string;
}

export class ScopeCreate {
  /** Not one of the platform's, such as `users`. */
  @IsPattern(/^[a-z0-9_-]{1,64}$/, { maxLength: 64, example: 'invoices' }) resource!: string;
  @IsPattern(/^[a-z0-9_-]{1,64}$/, { maxLength: 64, example: 'read' }) action!: string;
  /** Always `resource:action`; may be left out. */
  @IsNullable() @IsPattern(SCOPE, { maxLength: 130, example: 'invoices:read' }) name?: string;
  @IsNullable() @IsLine(100) display_name?: string;
  @IsNullable() @IsLine(500) description?: string;
  @IsNullable() @IsPattern(/^[a-z][a-z0-9_-]{0,63}$/, { maxLength: 64, example: 'tenant' }) source?: string;
  @IsNullable() @IsText(100) source_id?: string;
  /**
   * `_platform_` for every tenant, or a tenant. Any but the caller's own is for who runs the platform. Default: every tenant for the
   * platform's own administrators, else the caller's.
   */
  @IsNullable() @IsText(64) tenant_id?: string;
}

export class ScopeIdParam {
  @IsQueryInteger({ minimum: 1, maximum: 2_147_483_647 }) scope_id!: number;
}

export class ScopeUpdate {
  @IsNullable() @IsLine(100) @MinLength(1, { message: 'String should have at least 1 character' }) display_name?: string;
  @IsNullable() @IsLine(500) description?: string;
}

export class DeletedScopeResponse {
  /** @example deleted */
  status!: string;
  @ApiProperty({ type: 'integer' }) id!: number;
}

export const SCOPE_SOURCES = ['role', 'user'] as const;

export class EffectiveScope {
  scope!: string;
  /** Whether the role gives it or a grant of the user's own. */
  @ApiProperty({ enum: SCOPE_SOURCES }) source!: (typeof SCOPE_SOURCES)[number];
  /** The grant it comes from, when a denial has cut that one to its parts. */
  granted_as!: string;
}

export class ScopeDenial {
  scope!: string;
  reason!: string | null;
  denied_by!: string;
  at!: Date;
  lifted_by!: string | null;
  /** Null while it counts. */
  lifted_at!: Date | null;
}

export class EffectiveScopesResponse {
  user_id!: string;
  role!: string;
  scopes!: EffectiveScope[];
  /** All of them, the latest first, also those that were lifted; at most 200. */
  denied!: ScopeDenial[];
}
