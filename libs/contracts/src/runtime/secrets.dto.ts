import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, MinLength } from 'class-validator';
import { IsOneOf, IsTenantId, IsText } from '../validators.js';

/** Maximum size of a secret, in bytes. */
export const MAX_SECRET_BYTES = 65_536;

export const SECRET_SCOPES = ['user', 'app'] as const;
export type SecretScope = (typeof SECRET_SCOPES)[number];
export const SECRET_WRITE_MODES = ['user', 'extension', 'both'] as const;
export type SecretWriteMode = (typeof SECRET_WRITE_MODES)[number];

/** Owner of the secrets: the app (`app`) or the user (`user`). */
export class SecretOwnerQuery {
  /** `user`: each user has a value. `app`: one value for all users. */
  @IsOneOf(SECRET_SCOPES) scope!: SecretScope;
  /** Required for the scope `user`. */
  @IsOptional() @IsText(64) user_id?: string;
  /** Tenant of the user. */
  @IsOptional() @IsTenantId() tenant_id?: string;
}

/** A secret that the running version of the app declares. Its value is never included. */
export class DeclaredSecret {
  /** Name of the secret. */
  name!: string;
  /** Description of the secret, as the app declares it. */
  description!: string;
  /** `user`: each user has a value. `app`: one value for all users. */
  @ApiProperty({ enum: SECRET_SCOPES }) scope!: SecretScope;
  /** Parties that can set the secret: the user, the app (`extension`), or both. */
  @ApiProperty({ enum: SECRET_WRITE_MODES }) write_mode!: SecretWriteMode;
  /** True if the secret has a value. */
  is_set!: boolean;
  /** Time at which it was last set; null if it is not set. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true }) updated_at!: string | null;
  /** Time at which a run or an authorised user last read the value; null if nobody read it. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true }) last_accessed_at!: string | null;
}

export class SecretValue {
  /**
   * Value of the secret. It must not be empty; the app declares its maximum size in bytes of UTF-8.
   */
  @IsText(MAX_SECRET_BYTES) @MinLength(1, { message: 'String should have at least 1 character' }) value!: string;
}

export class SecretDeletedResponse {
  /** False if there was no secret. */
  was_set!: boolean;
}
