import { IsOptional, IsString, MinLength, ValidateBy } from 'class-validator';
import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsFutureTime } from './moments.js';
import { IsLine } from './validators.js';

const SCOPE = /^(\*|[a-z0-9_-]{1,64}[:.]([a-z0-9_-]{1,64}|\*))$/;
const MAX_SCOPES = 50;
const MAX_SCOPES_LENGTH = 2_000;

export class CreateKeyRequest {
  /** @example deploy pipeline */
  @IsLine(100) @MinLength(1, { message: 'String should have at least 1 character' }) name!: string;
  /** What the key may do, separated by commas; never more than its owner may do at the moment of a request. */
  @IsScopeList() scopes: string = '*';
  /** Without it the key lives until it is deleted. */
  @IsOptional() @IsFutureTime() expires_at?: Date;
}

export class KeyListItem {
  id!: string;
  /**
   * Enough to recognise the key.
   * @example cp_live_4fQk0ZbWq2Lx
   */
  key_prefix!: string;
  name!: string;
  /** @example users:read,apps:* */
  scopes!: string;
  /** Within a minute; null when it was never used. */
  last_used_at!: Date | null;
  created_at!: Date;
  expires_at!: Date | null;
}

/** The only answer that holds the key. */
export class KeyResponse {
  id!: string;
  /** Send it as `Authorization: Bearer` or `x-api-key`. It cannot be read again. */
  key!: string;
  key_prefix!: string;
  name!: string;
  scopes!: string;
  created_at!: Date;
  expires_at!: Date | null;
}

export class DeleteKeyResponse {
  /** @example deleted */
  status!: string;
  id!: string;
}

/** Internal: a key, as a service got it. */
export class ApiKeyOwnerRequest {
  @IsLine(8_192) key!: string;
}

/** Internal: whose a key is. */
export class ApiKeyOwnerResponse {
  key_id!: string;
  user_id!: string;
  tenant_id!: string;
  role!: string;
  /** What of the owner's present scopes the key was given. */
  scopes!: string[];
  /** What the key was given. */
  key_scopes!: string[];
}

/** `users:read,apps:*` as its parts, each once. */
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
      { message: 'Input should be scopes such as users:read or apps:*, separated by commas, or *', context: { type: 'value_error' } },
    ),
  );
}
