import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { isIP, IsObject, IsOptional, IsString, MinLength, ValidateBy, ValidateNested } from 'class-validator';
import { NeedsWith, RulesOut } from './schema-rules.js';
import { isAtMost, IsLine, IsOneOf, IsPattern, IsQueryInteger, IsText, IsTrueOrFalse, IsWholeNumber, TENANT_ID } from './validators.js';

/** There is no driver for `mariadb`: settings of one are there from before, and no new ones are taken. */
export const DB_BACKENDS = ['mariadb', 'postgresql'] as const;
export type DbBackend = (typeof DB_BACKENDS)[number];
const NEW_DB_BACKENDS = ['postgresql'] as const;

export const ISOLATIONS = ['shared', 'dedicated'] as const;
export type Isolation = (typeof ISOLATIONS)[number];

/** The ways in which a tenant may let its users prove who they are. */
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
  id!: string;
  /** The same as `id`. */
  tenant_id!: string;
  name!: string;
  /** What the database is in which its data belongs: that of `db_config`, or the platform's own PostgreSQL. */
  @ApiProperty({ enum: DB_BACKENDS }) db_backend!: DbBackend;
  /** `dedicated`: with a database of its own, which `db_config` names. Without: `shared`, in the platform's. */
  @ApiProperty({ enum: ISOLATIONS }) isolation!: Isolation;
  /**
   * How its users may prove who they are: `email` (and password), `api_key`.
   * @example email,api_key
   */
  allowed_auth_methods!: string;
  @ApiProperty({ type: 'integer' }) max_connections!: number;
  features!: Record<string, unknown>;
  /** False once it was deleted. */
  is_active!: boolean;
  created_at!: Date;
  updated_at!: Date;
  parent_tenant_id!: string | null;
  /** Whether its administrators may create tenants below it. */
  can_resell!: boolean;
  custom_pricing!: Record<string, unknown>;
  ui_config!: Record<string, unknown>;
}

/** How to reach a database that a tenant has for itself. It is kept encrypted and never returned. */
export class TenantDatabaseConfig {
  @IsHost() host!: string;
  /** Default: 5432. */
  @IsOptional() @IsWholeNumber(1, 65_535) port?: number | null;
  @IsName(MAX_IDENTIFIER_LENGTH) database!: string;
  @IsName(MAX_IDENTIFIER_LENGTH) username!: string;
  @ApiProperty({ minLength: 1 }) @IsText(MAX_DATABASE_PASSWORD_LENGTH) @IsNotEmptyText() password!: string;
}

@NeedsWith('isolation', 'dedicated', 'db_config')
@RulesOut('isolation', 'shared', 'db_config')
export class CreateTenantRequest {
  /** For good: it cannot be changed. */
  @IsPattern(TENANT_ID, { maxLength: 63, example: 'acme' }) tenant_id!: string;
  @IsName(MAX_NAME_LENGTH) name!: string;
  /** Only from the platform's own administrators and trusted backends. */
  @IsOptional() @IsDatabaseConfig() db_config?: TenantDatabaseConfig | null;
  @IsOneOf(NEW_DB_BACKENDS, 'postgresql') db_backend: (typeof NEW_DB_BACKENDS)[number] = 'postgresql';
  /** `dedicated` needs `db_config`, and `shared` takes none. Default: `dedicated` with `db_config`, else `shared`. */
  @IsOptional() @IsOneOf(ISOLATIONS) isolation?: Isolation | null;
  @IsAuthMethods(AUTH_METHODS.join()) allowed_auth_methods: string = AUTH_METHODS.join();
  @IsWholeNumber(1, MOST_CONNECTIONS, DEFAULT_MAX_CONNECTIONS) max_connections: number = DEFAULT_MAX_CONNECTIONS;
  @IsFeatures() features: Record<string, unknown> = {};
  /** For good: it cannot be changed. */
  @IsOptional() @IsPattern(TENANT_ID, { maxLength: 63, example: 'acme' }) parent_tenant_id?: string | null;
}

/** What is absent or null stays as it is, but for `db_config`: null removes it, and the tenant is `shared`. */
export class UpdateTenantRequest {
  @IsOptional() @IsName(MAX_NAME_LENGTH) name?: string | null;
  @IsOptional() @IsDatabaseConfig() db_config?: TenantDatabaseConfig | null;
  /** Counts within 5 s. Sessions that were begun go on; the platform's own tenant keeps `email`. */
  @IsOptional() @IsAuthMethods() allowed_auth_methods?: string | null;
  @IsOptional() @IsWholeNumber(1, MOST_CONNECTIONS) max_connections?: number | null;
  /** Replaced whole. */
  @IsOptional() @IsFeatures() features?: Record<string, unknown> | null;
  /** False is the same as deleting the tenant, true brings it back. */
  @IsOptional() @IsTrueOrFalse() is_active?: boolean | null;
}

export class ListTenantsQuery {
  @IsQueryInteger({ minimum: 1, maximum: 500, default: 100 }) limit: number = 100;
  @IsQueryInteger({ minimum: 0, maximum: 1_000_000, default: 0 }) offset: number = 0;
}

export class DeleteTenantResponse {
  /** @example deleted */
  status!: string;
  tenant_id!: string;
}

export class TenantHealthResponse {
  tenant_id!: string;
  /** What was asked: without `db_config` that is the platform's own PostgreSQL. */
  @ApiProperty({ enum: DB_BACKENDS }) db_backend!: DbBackend;
  healthy!: boolean;
  /**
   * What exactly was checked, or why it failed.
   * @example shared
   */
  message!: string;
}

/** `email, api_key` without spaces and repetitions. */
export const parseAuthMethods = (list: string): string[] => [...new Set(list.split(',').map((method) => method.trim()))];

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

/** A name or an address, without scheme, port or path: nothing that a driver could take for something else, such as a socket's path. */
function IsHost(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ maxLength: MAX_HOST_LENGTH, example: 'db.acme.example' }),
    IsString({ message: 'Input should be a valid string' }),
    ValidateBy(
      { name: 'isHost', validator: { validate: (value) => isAtMost(MAX_HOST_LENGTH, value) && (isIP(value) || isHostName(value)) } },
      { message: 'Input should be a host name or an IP address', context: { type: 'value_error' } },
    ),
  );
}

/** RFC 1123, with the underscore that container networks use. What ends in a number is an address, or nothing. */
function isHostName(value: string): boolean {
  const labels = value.split('.');
  return (
    labels.every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i.test(label)) && !/^(\d+|0x[0-9a-f]*)$/i.test(labels.at(-1) ?? '')
  );
}

function IsAuthMethods(fallback?: string): PropertyDecorator {
  const areKnown = (list: string) => parseAuthMethods(list).every((method) => (AUTH_METHODS as readonly string[]).includes(method));
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
        validator: { validate: (value) => typeof value === 'string' && value.length <= MAX_AUTH_METHODS_LENGTH && areKnown(value) },
      },
      { message: `Input should be some of ${AUTH_METHODS.join()}, separated by commas`, context: { type: 'value_error' } },
    ),
  );
}

function IsFeatures(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: 'object', additionalProperties: true, selfRequired: false }),
    IsObject({ message: 'Input should be a valid dictionary' }),
    ValidateBy(
      { name: 'isSmall', validator: { validate: (value) => JSON.stringify(value).length <= MAX_FEATURES_LENGTH } },
      { message: `Input should have at most ${MAX_FEATURES_LENGTH} characters as JSON`, context: { type: 'value_error' } },
    ),
  );
}
