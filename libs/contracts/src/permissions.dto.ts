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

/**
 * True if the value has the form of a scope: `*`, `users:*`, `users:read`, or the older form
 * `users.read`.
 */
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

/** The value must be an object with any keys and values, of at most 16 KiB as JSON. */
const IsAttributes = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ type: 'object', additionalProperties: true }),
    IsObject({ message: 'Input should be a valid dictionary' }),
    ValidateBy(
      { name: 'isSmall', validator: { validate: (value) => JSON.stringify(value).length <= MAX_ATTRIBUTES_LENGTH } },
      {
        message: `Input should have at most ${MAX_ATTRIBUTES_LENGTH} characters as JSON`,
        context: { type: 'value_error' },
      },
    ),
  );

const IsTexts = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ type: [String], maxItems: 200 }),
    IsArray({ message: 'Input should be a valid list' }),
    ArrayMaxSize(200, { message: 'List should have at most 200 items' }),
    IsString({ each: true, message: 'Each item should be a valid string' }),
  );

/** Treats an explicit null as absent. */
const IsNullable = (): PropertyDecorator => IsOptional();

export const CONFIRMATION_POLICIES = ['enforced', 'default_on', 'default_off', 'disabled'] as const;
type ConfirmationPolicy = (typeof CONFIRMATION_POLICIES)[number];

/** Name of the administrator role, which every tenant has. */
export const ADMIN_ROLE = 'admin';

/** Values of a new role if the request omits them. */
export const ROLE_DEFAULTS = {
  confirmation_policy: 'default_off',
  max_concurrent_tasks: 3,
  monthly_action_limit: 500,
  context_window: 20,
} as const;

export class RoleResponse {
  /** Id of the role. */
  id!: string;
  /** Id of the tenant. */
  tenant_id!: string;
  /** Name of the role, unique within the tenant. */
  name!: string;
  /** Name of the role, for people. */
  display_name!: string;
  /** Scopes that every user of the role has now. */
  default_scopes!: string[];
  /**
   * Attributes of a new user of the role. `cascade` also writes them into the attributes of
   * existing users.
   */
  default_attributes!: Record<string, unknown>;
  /** Ids of the apps that a new user of the role gets. */
  default_extensions!: string[];
  /**
   * Confirmation before a function that writes, destroys or costs credits. `enforced`: always.
   * `disabled`: never. `default_on` and `default_off`: the user decides; without a decision,
   * `default_on` asks always and `default_off` asks only before destructive functions. Functions
   * that move money always need the user.
   */
  @ApiProperty({ enum: CONFIRMATION_POLICIES }) confirmation_policy!: ConfirmationPolicy;
  /** Maximum number of tasks of a user that wait or run at the same time. */
  @ApiProperty({ type: 'integer' }) max_concurrent_tasks!: number;
  /** Calls per month that a user of the role can make. 0: no limit. */
  @ApiProperty({ type: 'integer' }) monthly_action_limit!: number;
  /** Context window for AI clients. The platform stores it and does not use it. */
  @ApiProperty({ type: 'integer' }) context_window!: number;
  /** True for a system role, which cannot be deleted. */
  is_system!: boolean;
  /** Time of creation. */
  created_at!: Date;
}

export class UpdatedRoleResponse extends RoleResponse {
  /** Number of users that `cascade` changed. */
  @ApiProperty({ type: 'integer' }) cascaded_count!: number;
}

export class CreateRoleRequest {
  /** Name of the role, unique within the tenant. */
  @IsPattern(/^[a-z][a-z0-9_-]{0,49}$/, { maxLength: 50, example: 'support' }) name!: string;
  /** Name of the role, for people. */
  @IsNullable() @IsLine(100) display_name?: string;
  /** Scopes that every user of the role has. */
  @IsNullable() @IsScopes() default_scopes?: string[];
  /** Attributes of a new user of the role. */
  @IsNullable() @IsAttributes() default_attributes?: Record<string, unknown>;
  /** Ids of the apps that a new user of the role gets. */
  @IsNullable() @IsTexts() default_extensions?: string[];
  /**
   * Confirmation before a function that writes, destroys or costs credits. `enforced`: always.
   * `disabled`: never. `default_on`, `default_off`: the user decides.
   */
  @IsNullable()
  @IsOneOf(CONFIRMATION_POLICIES, ROLE_DEFAULTS.confirmation_policy)
  confirmation_policy?: ConfirmationPolicy;
  /** Maximum number of tasks of a user that wait or run at the same time. */
  @IsNullable() @IsWholeNumber(1, 50, ROLE_DEFAULTS.max_concurrent_tasks) max_concurrent_tasks?: number;
  /** Calls per month that a user of the role can make. 0: no limit. */
  @IsNullable() @IsWholeNumber(0, 1_000_000_000, ROLE_DEFAULTS.monthly_action_limit) monthly_action_limit?: number;
  /** Context window for AI clients. The platform stores it and does not use it. */
  @IsNullable() @IsWholeNumber(5, 200, ROLE_DEFAULTS.context_window) context_window?: number;
}

export class UpdateRoleRequest {
  /** Name of the role, for people. */
  @IsNullable() @IsLine(100) display_name?: string;
  /** Scopes that every user of the role has. */
  @IsNullable() @IsScopes() default_scopes?: string[];
  /** Attributes of a new user of the role. */
  @IsNullable() @IsAttributes() default_attributes?: Record<string, unknown>;
  /** Ids of the apps that a new user of the role gets. */
  @IsNullable() @IsTexts() default_extensions?: string[];
  /**
   * Confirmation before a function that writes, destroys or costs credits. `enforced`: always.
   * `disabled`: never. `default_on`, `default_off`: the user decides.
   */
  @IsNullable() @IsOneOf(CONFIRMATION_POLICIES) confirmation_policy?: ConfirmationPolicy;
  /** Maximum number of tasks of a user that wait or run at the same time. */
  @IsNullable() @IsWholeNumber(1, 50) max_concurrent_tasks?: number;
  /** Calls per month that a user of the role can make. 0: no limit. */
  @IsNullable() @IsWholeNumber(0, 1_000_000_000) monthly_action_limit?: number;
  /** Context window for AI clients. The platform stores it and does not use it. */
  @IsNullable() @IsWholeNumber(5, 200) context_window?: number;
}

export class UpdateRoleQuery {
  /**
   * True applies the role to its existing users: their own grants are removed, and the default
   * attributes of the role overwrite theirs.
   */
  @IsQueryBoolean(false) cascade: boolean = false;
}

export class DeletedResponse {
  /**
   * Result of the request.
   * @example deleted
   */
  status!: string;
  /** Id of the deleted object. */
  id!: string;
}

export class UserDetailResponse {
  /** Id of the user. */
  id!: string;
  /** Same as `id`. */
  platform_id!: string;
  /** Email address. */
  email!: string;
  /**
   * Always true: an account exists only with an address that its user, or the administrator who
   * created it, has confirmed.
   */
  email_verified!: boolean;
  /** First name; null if it is not known. */
  first_name!: string | null;
  /** Last name; null if it is not known. */
  last_name!: string | null;
  /** Id of the tenant. */
  tenant_id!: string;
  /** Id of the agency; null without an agency. */
  agency_id!: string | null;
  /** Name of the user's role. */
  role!: string;
  /** Scopes granted to the user in addition to those of the role. */
  scopes!: string[];
  /** Scopes denied to the user. A denial overrides every grant. */
  denied_scopes!: string[];
  /** Scopes of the user now: role and grants without denials. */
  effective_scopes!: string[];
  /** Attributes of the user, with free keys and values. */
  attributes!: Record<string, unknown>;
  /** False if the user is deactivated and cannot sign in. */
  is_active!: boolean;
  /**
   * Login method of the account.
   * @example email
   */
  auth_method!: string;
  /** Time of creation. */
  created_at!: Date;
  /** Time of the last login; null if the user never signed in. */
  last_login!: Date | null;
}

export class CreateUserRequest {
  /** Email address. */
  @IsEmailAddress() email!: string;
  /** Password of the account: 8 to 128 characters. */
  @IsNewPassword() password!: string;
  /** First name. */
  @IsNullable() @IsPersonName(100) first_name?: string;
  /** Last name. */
  @IsNullable() @IsPersonName(100) last_name?: string;
  /** Name of a role of the tenant. Default: `user`. */
  @IsNullable() @IsText(50) role?: string;
  /** Scopes granted to the user in addition to those of the role. */
  @IsNullable() @IsScopes() scopes?: string[];
  /** Attributes of the user, in addition to the default attributes of the role. */
  @IsNullable() @IsAttributes() attributes?: Record<string, unknown>;
  /** Id of the agency of the user. */
  @IsNullable() @IsText(50) agency_id?: string;
}

/**
 * Changes a user. A field that is absent or null keeps its value, except `agency_id`. Lists and
 * attributes are replaced as a whole.
 */
export class UpdateUserRequest {
  /** Name of a role of the tenant. */
  @IsNullable() @IsText(50) role?: string;
  /** Scopes granted to the user in addition to those of the role. */
  @IsNullable() @IsScopes() scopes?: string[];
  /** Scopes denied to the user. A denial overrides every grant. */
  @IsNullable() @IsScopes() denied_scopes?: string[];
  /** Reason, for the history of denials. */
  @IsNullable() @IsLine(500) reason?: string;
  /** Attributes of the user, with free keys and values. */
  @IsNullable() @IsAttributes() attributes?: Record<string, unknown>;
  /** False deactivates the user, who then cannot sign in. True activates the user again. */
  @IsNullable() @IsTrueOrFalse() is_active?: boolean;
  /** Id of the agency. Null removes the user from the agency. */
  @IsNullable() @IsText(50) agency_id?: string | null;
}

export class ListUsersQuery {
  /** Only users with this role. */
  @IsOptional() @IsText(50) role?: string;
  /** True also returns deactivated users. Ignored if `is_active` is set. */
  @IsQueryBoolean(false) include_inactive: boolean = false;
  /** Text in the address or the name. One or two characters match only at the beginning. */
  @IsOptional() @IsText(200) search?: string;
  /** Only users with this scope from their role or a grant. Denials are ignored. */
  @IsOptional() @IsText(130) scope?: string;
  /** Only active users (true) or only deactivated users (false). */
  @IsOptional() @IsQueryBoolean() is_active?: boolean;
  /** Maximum number of items in the answer. */
  @IsQueryInteger({ minimum: 1, maximum: 200, default: 50 }) limit: number = 50;
  /** Number of items to skip. */
  @IsQueryInteger({ minimum: 0, maximum: 1_000_000, default: 0 }) offset: number = 0;
}

export class UserListResponse {
  /** Newest first. */
  items!: UserDetailResponse[];
  /** Number of users that match. The count stops 1000 users after this page. */
  @ApiProperty({ type: 'integer' }) total!: number;
  /** False if more users match than `total` says. */
  total_is_exact!: boolean;
  /** Maximum number of items, as requested. */
  @ApiProperty({ type: 'integer' }) limit!: number;
  /** Number of skipped items, as requested. */
  @ApiProperty({ type: 'integer' }) offset!: number;
}

export class DeleteUserQuery {
  /**
   * True permanently deletes the account and all personal data. By default the user is deactivated.
   */
  @IsQueryBoolean(false) permanent: boolean = false;
}

/** Tenant of scopes that exist in every tenant. */
export const PLATFORM_SCOPES = '_platform_';

export class ScopeResponse {
  /** Id of the scope. */
  @ApiProperty({ type: 'integer' }) id!: number;
  /**
   * Name of the scope.
   * @example users:read
   */
  name!: string;
  /** Resource: the first part of the name. */
  resource!: string;
  /** Action: the second part of the name. */
  action!: string;
  /** Name of the scope, for people. */
  display_name!: string;
  /** Description of the scope. */
  description!: string;
  /**
   * Origin of the scope.
   * @example platform
   */
  source!: string;
  /** Id of the origin. The platform stores it and does not use it. */
  source_id!: string | null;
  /** True for a scope of the platform, which cannot be changed. */
  is_system!: boolean;
  /** `_platform_` for a scope that exists in every tenant. */
  tenant_id!: string;
  /** Time of creation. */
  created_at!: Date;
}

export class ListScopesQuery {
  /** Only scopes of this resource. */
  @IsOptional() @IsText(64) resource?: string;
  /** Only scopes of this origin. */
  @IsOptional() @IsText(64) source?: string;
}

export class ScopeCreate {
  /** Resource of the scope. Resources of the platform, such as `users`, are refused. */
  @IsPattern(/^[a-z0-9_-]{1,64}$/, { maxLength: 64, example: 'invoices' }) resource!: string;
  /** Action of the scope. */
  @IsPattern(/^[a-z0-9_-]{1,64}$/, { maxLength: 64, example: 'read' }) action!: string;
  /** Must be `resource:action`; can be omitted. */
  @IsNullable() @IsPattern(SCOPE, { maxLength: 130, example: 'invoices:read' }) name?: string;
  /** Name of the scope, for people. */
  @IsNullable() @IsLine(100) display_name?: string;
  /** Description of the scope. */
  @IsNullable() @IsLine(500) description?: string;
  /** Origin of the scope. */
  @IsNullable() @IsPattern(/^[a-z][a-z0-9_-]{0,63}$/, { maxLength: 64, example: 'tenant' }) source?: string;
  /** Id of the origin. The platform stores it and does not use it. */
  @IsNullable() @IsText(100) source_id?: string;
  /**
   * Tenant of the scope; `_platform_` for every tenant. Only the operator can name another tenant
   * than the caller's. Default: `_platform_` for administrators of the platform's own tenant,
   * otherwise the caller's tenant.
   */
  @IsNullable() @IsText(64) tenant_id?: string;
}

export class ScopeIdParam {
  /** Id of the scope. */
  @IsQueryInteger({ minimum: 1, maximum: 2_147_483_647 }) scope_id!: number;
}

export class ScopeUpdate {
  /** Name of the scope, for people. */
  @IsNullable()
  @IsLine(100)
  @MinLength(1, { message: 'String should have at least 1 character' })
  display_name?: string;
  /** Description of the scope. */
  @IsNullable() @IsLine(500) description?: string;
}

export class DeletedScopeResponse {
  /**
   * Result of the request.
   * @example deleted
   */
  status!: string;
  /** Id of the scope. */
  @ApiProperty({ type: 'integer' }) id!: number;
}

export const SCOPE_SOURCES = ['role', 'user'] as const;

export class EffectiveScope {
  /** Name of the scope. */
  scope!: string;
  /** Source of the scope: the role, or a grant to the user. */
  @ApiProperty({ enum: SCOPE_SOURCES }) source!: (typeof SCOPE_SOURCES)[number];
  /**
   * Grant that contains the scope. It differs from `scope` if a denial split a wider grant into
   * single scopes.
   */
  granted_as!: string;
}

export class ScopeDenial {
  /** Name of the scope. */
  scope!: string;
  /** Reason of the denial; null if none was given. */
  reason!: string | null;
  /** Id of the user or name of the backend that denied the scope. */
  denied_by!: string;
  /** Time of the denial. */
  at!: Date;
  /** Id of the user or name of the backend that lifted the denial; null while it applies. */
  lifted_by!: string | null;
  /** Time at which the denial was lifted; null while it applies. */
  lifted_at!: Date | null;
}

export class EffectiveScopesResponse {
  /** Id of the user. */
  user_id!: string;
  /** Name of the user's role. */
  role!: string;
  /** Scopes that the user has now. */
  scopes!: EffectiveScope[];
  /** All denials, newest first, including lifted ones; at most 200. */
  denied!: ScopeDenial[];
}
