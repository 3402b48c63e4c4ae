import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { isIP, IsObject, IsOptional, IsString, MinLength, ValidateBy, ValidateNested } from 'class-validator';
import { NeedsWith, RulesOut } from './schema-rules.js';
import {
  isAtMost,
  IsLine,
  IsOneOf,
  IsPattern,
  IsQueryInteger,
  IsText,
  IsTrueOrFalse,
  IsWholeNumber,
  TENANT_ID,
} from './validators.js';

/** Database systems. */
export const DB_BACKENDS = ['postgresql'] as const;
export type DbBackend = (typeof DB_BACKENDS)[number];

export const ISOLATIONS = ['shared', 'dedicated'] as const;
export type Isolation = (typeof ISOLATIONS)[number];

/** Login methods that a tenant can allow. */
export const AUTH_METHODS = ['email', 'api_key'] as const;
export type AuthMethod = (typeof AUTH_METHODS)[number];

export const DEFAULT_MAX_CONNECTIONS = 10;
const MOST_CONNECTIONS = 500;
const MAX_NAME_LENGTH = 200;
const MAX_IDENTIFIER_LENGTH = 128;
const MAX_DATABASE_PASSWORD_LENGTH = 1_024;
const MAX_HOST_LENGTH = 253;
const MAX_FEATURES_LENGTH = 16_384;
const MAX_AUTH_METHODS_LENGTH = 100;

export class TenantResponse {
  /** Id of the tenant. */
  id!: string;
  /** Same as `id`. */
  tenant_id!: string;
  /** Name of the tenant, for people. */
  name!: string;
  /**
   * Database system of the tenant's data: that of `db_config`, or the PostgreSQL of the platform.
   */
  @ApiProperty({ enum: DB_BACKENDS }) db_backend!: DbBackend;
  /**
   * `dedicated`: the tenant has its own database, which `db_config` names. `shared`: its data is in
   * the database of the platform.
   */
  @ApiProperty({ enum: ISOLATIONS }) isolation!: Isolation;
  /**
   * Allowed login methods, separated by commas: `email` (with password) and `api_key`.
   * @example email,api_key
   */
  allowed_auth_methods!: string;
  /** Maximum number of database connections. The platform stores it and does not use it. */
  @ApiProperty({ type: 'integer' }) max_connections!: number;
  /** Features of the tenant, with free keys and values. Apps can read them. */
  features!: Record<string, unknown>;
  /** False if the tenant was deleted. */
  is_active!: boolean;
  /** Time of creation. */
  created_at!: Date;
  /** Time of the last change. */
  updated_at!: Date;
  /** Tenant above this one; null if there is none. */
  parent_tenant_id!: string | null;
  /** True if administrators of the tenant can create tenants below it. */
  can_resell!: boolean;
  /** Set by the operator in the database. The platform does not use it. */
  custom_pricing!: Record<string, unknown>;
  /** Set by the operator in the database. The platform does not use it. */
  ui_config!: Record<string, unknown>;
}

/** Connection to the tenant's own database. It is stored encrypted and never returned. */
export class TenantDatabaseConfig {
  /** Host name or IP address of the database server. */
  @IsHost() host!: string;
  /** Port of the database. Default: 5432. */
  @IsOptional() @IsWholeNumber(1, 65_535) port?: number | null;
  /** Name of the database. */
  @IsName(MAX_IDENTIFIER_LENGTH) database!: string;
  /** Name of the database user. */
  @IsName(MAX_IDENTIFIER_LENGTH) username!: string;
  /** Password of the database user. */
  @ApiProperty({ minLength: 1 }) @IsText(MAX_DATABASE_PASSWORD_LENGTH) @IsNotEmptyText() password!: string;
}

@NeedsWith('isolation', 'dedicated', 'db_config')
@RulesOut('isolation', 'shared', 'db_config')
export class CreateTenantRequest {
  /** Id of the tenant. It cannot be changed. */
  @IsPattern(TENANT_ID, { maxLength: 63, example: 'acme' }) tenant_id!: string;
  /** Name of the tenant, for people. */
  @IsName(MAX_NAME_LENGTH) name!: string;
  /**
   * Connection to the tenant's own database. Only administrators of the platform's own tenant and
   * backends can set it.
   */
  @IsOptional() @IsDatabaseConfig() db_config?: TenantDatabaseConfig | null;
  /** Database system of `db_config`. */
  @IsOneOf(DB_BACKENDS, 'postgresql') db_backend: DbBackend = 'postgresql';
  /**
   * `dedicated` requires `db_config`; `shared` does not allow it. Default: `dedicated` with
   * `db_config`, otherwise `shared`.
   */
  @IsOptional() @IsOneOf(ISOLATIONS) isolation?: Isolation | null;
  /** Allowed login methods, separated by commas: `email` (with password) and `api_key`. */
  @IsAuthMethods(AUTH_METHODS.join()) allowed_auth_methods: string = AUTH_METHODS.join();
  /** Maximum number of database connections. The platform stores it and does not use it. */
  @IsWholeNumber(1, MOST_CONNECTIONS, DEFAULT_MAX_CONNECTIONS) max_connections: number = DEFAULT_MAX_CONNECTIONS;
  /** Features of the tenant, with free keys and values. Apps can read them. */
  @IsFeatures() features: Record<string, unknown> = {};
  /** Tenant above this one. It cannot be changed. */
  @IsOptional() @IsPattern(TENANT_ID, { maxLength: 63, example: 'acme' }) parent_tenant_id?: string | null;
}

/**
 * Changes a tenant. A field that is absent or null keeps its value, except `db_config`: null
 * removes it, and the tenant becomes `shared`.
 */
export class UpdateTenantRequest {
  /** Name of the tenant, for people. */
  @IsOptional() @IsName(MAX_NAME_LENGTH) name?: string | null;
  /** Connection to the tenant's own database. Null removes it. */
  @IsOptional() @IsDatabaseConfig() db_config?: TenantDatabaseConfig | null;
  /**
   * Allowed login methods, separated by commas. A change takes effect within 5 seconds. Existing
   * sessions continue. The platform's own tenant always keeps `email`.
   */
  @IsOptional() @IsAuthMethods() allowed_auth_methods?: string | null;
  /** Maximum number of database connections. The platform stores it and does not use it. */
  @IsOptional() @IsWholeNumber(1, MOST_CONNECTIONS) max_connections?: number | null;
  /** Replaces all features. */
  @IsOptional() @IsFeatures() features?: Record<string, unknown> | null;
  /** False deletes the tenant; true restores it. */
  @IsOptional() @IsTrueOrFalse() is_active?: boolean | null;
}

export class ListTenantsQuery {
  /** Maximum number of items in the answer. */
  @IsQueryInteger({ minimum: 1, maximum: 500, default: 100 }) limit: number = 100;
  /** Number of items to skip. */
  @IsQueryInteger({ minimum: 0, maximum: 1_000_000, default: 0 }) offset: number = 0;
}

export class DeleteTenantResponse {
  /**
   * Result.
   * @example deleted
   */
  status!: string;
  /** Id of the tenant. */
  tenant_id!: string;
}

export class TenantHealthResponse {
  /** Id of the tenant. */
  tenant_id!: string;
  /** Database system that was checked. Without `db_config` it is the PostgreSQL of the platform. */
  @ApiProperty({ enum: DB_BACKENDS }) db_backend!: DbBackend;
  /** True if the check succeeded. */
  healthy!: boolean;
  /**
   * Result of the check, or the reason of the failure.
   * @example shared
   */
  message!: string;
}

/** Splits a list such as `email, api_key`, without spaces and duplicates. */
export const parseAuthMethods = (list: string): string[] => [
  ...new Set(list.split(',').map((method) => method.trim())),
];

function IsNotEmptyText(): PropertyDecorator {
  return MinLength(1, { message: 'String should have at least 1 character' });
}

function IsName(max: number): PropertyDecorator {
  return applyDecorators(ApiProperty({ minLength: 1 }), IsLine(max), IsNotEmptyText());
}

function IsDatabaseConfig(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: () => TenantDatabaseConfig, nullable: true }),
    IsObject({ message: 'Input should be a valid dictionary' }),
    ValidateNested(),
    Type(() => TenantDatabaseConfig),
  );
}

/**
 * The value must be a host name or an IP address, without scheme, port or path. It refuses values
 * that a driver could read differently, such as the path of a socket.
 */
function IsHost(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ maxLength: MAX_HOST_LENGTH, example: 'db.acme.example' }),
    IsString({ message: 'Input should be a valid string' }),
    ValidateBy(
      {
        name: 'isHost',
        validator: { validate: (value) => isAtMost(MAX_HOST_LENGTH, value) && (isIP(value) || isHostName(value)) },
      },
      { message: 'Input should be a host name or an IP address', context: { type: 'value_error' } },
    ),
  );
}

/**
 * True for a host name of RFC 1123, with the underscore that container networks use. A name whose
 * last label is a number is not a host name: it would be read as an IP address.
 */
function isHostName(value: string): boolean {
  const labels = value.split('.');
  return (
    labels.every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i.test(label)) &&
    !/^(\d+|0x[0-9a-f]*)$/i.test(labels.at(-1) ?? '')
  );
}

function IsAuthMethods(fallback?: string): PropertyDecorator {
  const areKnown = (list: string) =>
    parseAuthMethods(list).every((method) => (AUTH_METHODS as readonly string[]).includes(method));
  return applyDecorators(
    ApiProperty({
      required: false,
      maxLength: MAX_AUTH_METHODS_LENGTH,
      example: AUTH_METHODS.join(),
      ...(fallback && { default: fallback }),
    }),
    IsString({ message: 'Input should be a valid string' }),
    ValidateBy(
      {
        name: 'areAuthMethods',
        validator: {
          validate: (value) => typeof value === 'string' && value.length <= MAX_AUTH_METHODS_LENGTH && areKnown(value),
        },
      },
      {
        message: `Input should be some of ${AUTH_METHODS.join()}, separated by commas`,
        context: { type: 'value_error' },
      },
    ),
  );
}

function IsFeatures(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: 'object', additionalProperties: true, selfRequired: false }),
    IsObject({ message: 'Input should be a valid dictionary' }),
    ValidateBy(
      { name: 'isSmall', validator: { validate: (value) => JSON.stringify(value).length <= MAX_FEATURES_LENGTH } },
      {
        message: `Input should have at most ${MAX_FEATURES_LENGTH} characters as JSON`,
        context: { type: 'value_error' },
      },
    ),
  );
}
