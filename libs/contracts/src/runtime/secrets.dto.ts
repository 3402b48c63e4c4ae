import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, MinLength } from 'class-validator';
import { IsOneOf, IsTenantId, IsText } from '../validators.js';

/** Of the largest secret that an app may declare, in bytes. */
export const MAX_SECRET_BYTES = 65_536;

export const SECRET_SCOPES = ['user', 'app'] as const;
export type SecretScope = (typeof SECRET_SCOPES)[number];
export const SECRET_WRITE_MODES = ['user', 'extension', 'both'] as const;
export type SecretWriteMode = (typeof SECRET_WRITE_MODES)[number];

/** Whose secrets of an app: with `app` the app's own, with `user` those of the user. */
export class SecretOwnerQuery {
  @IsOneOf(SECRET_SCOPES) scope!: SecretScope;
  /** Needed with the scope `user`. */
  @IsOptional() @IsText(64) user_id?: string;
  @IsOptional() @IsTenantId() tenant_id?: string;
}

/** A secret that the version of the app that runs declares; never its value. */
export class DeclaredSecret {
  name!: string;
  description!: string;
  @ApiProperty({ enum: SECRET_SCOPES }) scope!: SecretScope;
  /** Who may set it. */
  @ApiProperty({ enum: SECRET_WRITE_MODES }) write_mode!: SecretWriteMode;
  is_set!: boolean;
  /** When it was set; null when it is not. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true }) updated_at!: string | null;
  /** When its value was last read, by a run or by who may see it; null before the first time. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true }) last_accessed_at!: string | null;
}

export class SecretValue {
  /** Not empty; the app declares how many bytes of UTF-8 it may have. */
  @IsText(MAX_SECRET_BYTES) @MinLength(1, { message: 'String should have at least 1 character' }) value!: string;
}

export class SecretDeletedResponse {
  /** False when there was none. */
  was_set!: boolean;
}
