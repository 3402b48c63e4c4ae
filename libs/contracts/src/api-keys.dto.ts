import { IsOptional, IsString, MinLength, ValidateBy } from 'class-validator';
import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsFutureTime } from './moments.js';
import { IsLine } from './validators.js';

const SCOPE = /^(\*|[a-z0-9_-]{1,64}[:.]([a-z0-9_-]{1,64}|\*))$/;
const MAX_SCOPES = 50;
const MAX_SCOPES_LENGTH = 2_000;

export class CreateKeyRequest {
  /**
   * Name of the key, for its owner.
   * @example deploy pipeline
   */
  @IsLine(100) @MinLength(1, { message: 'String should have at least 1 character' }) name!: string;
  /**
   * Scopes of the key, separated by commas. At each request the key has at most the scopes that its
   * owner has at that time.
   */
  @IsScopeList() scopes: string = '*';
  /** Time at which the key expires. Absent: the key works until it is deleted. */
  @IsOptional() @IsFutureTime() expires_at?: Date;
}

export class KeyListItem {
  /** Id of the key. */
  id!: string;
  /**
   * First characters of the key, by which its owner can recognise it.
   * @example cp_live_4fQk0ZbWq2Lx
   */
  key_prefix!: string;
  /** Name of the key, for its owner. */
  name!: string;
  /**
   * Scopes of the key, separated by commas.
   * @example users:read,apps:*
   */
  scopes!: string;
  /** Time of the last use, accurate to one minute; null if the key was never used. */
  last_used_at!: Date | null;
  /** Time of creation. */
  created_at!: Date;
  /** Time of expiry; null if it does not expire. */
  expires_at!: Date | null;
}

/** A new key. Only this answer contains the secret. */
export class KeyResponse {
  /** Id of the key. */
  id!: string;
  /**
   * Secret of the key. Send it as `Authorization: Bearer` or `x-api-key`. It cannot be read again.
   */
  key!: string;
  /** First characters of the key, by which its owner can recognise it. */
  key_prefix!: string;
  /** Name of the key, for its owner. */
  name!: string;
  /** Scopes of the key, separated by commas. */
  scopes!: string;
  /** Time of creation. */
  created_at!: Date;
  /** Time of expiry; null if it does not expire. */
  expires_at!: Date | null;
}

export class DeleteKeyResponse {
  /**
   * Result of the request.
   * @example deleted
   */
  status!: string;
  /** Id of the deleted key. */
  id!: string;
}

/** Internal: an API key that a service received. */
export class ApiKeyOwnerRequest {
  @IsLine(8_192) key!: string;
}

/** Internal: the owner of an API key. */
export class ApiKeyOwnerResponse {
  /** Id of the key. */
  key_id!: string;
  /** Id of the user. */
  user_id!: string;
  /** Id of the tenant. */
  tenant_id!: string;
  /** Role of the owner. */
  role!: string;
  /** Scopes of the key that its owner holds now. */
  scopes!: string[];
  /** Scopes that the key was created with. */
  key_scopes!: string[];
}

/** Splits a list such as `users:read,apps:*` and removes duplicates. */
export const parseScopes = (list: string): string[] => [...new Set(list.split(',').map((scope) => scope.trim()))];

function IsScopeList(): PropertyDecorator {
  const isScopeList = (value: string) => {
    if (value.length > MAX_SCOPES_LENGTH) return false;
    const scopes = parseScopes(value);
    return scopes.length <= MAX_SCOPES && scopes.every((scope) => SCOPE.test(scope));
  };
  return applyDecorators(
    ApiProperty({ required: false, default: '*', maxLength: MAX_SCOPES_LENGTH, example: 'users:read,apps:*' }),
    IsString({ message: 'Input should be a valid string' }),
    ValidateBy(
      { name: 'isScopeList', validator: { validate: (value) => typeof value === 'string' && isScopeList(value) } },
      {
        message: 'Input should be scopes such as users:read or apps:*, separated by commas, or *',
        context: { type: 'value_error' },
      },
    ),
  );
}
