import { ApiProperty } from '@nestjs/swagger';
import { SECRET_WRITE_MODES, type SecretWriteMode } from './runtime/secrets.dto.js';
import { IsAppId, IsPattern } from './validators.js';

const SECRET_NAME = /^[a-z][a-z0-9_]{0,62}$/;

/** A secret that an app declares. */
export class SecretPath {
  @IsAppId() app_id!: string;
  @IsPattern(SECRET_NAME, { maxLength: 63, example: 'api_token' }) name!: string;
}

/** A user's own secret of an app, without its value. */
export class UserSecret {
  name!: string;
  description!: string;
  is_set!: boolean;
  /** Who may set it: `user`, `extension` or `both`. */
  @ApiProperty({ enum: SECRET_WRITE_MODES }) write_mode!: SecretWriteMode;
  /** When it was set; null when it is not. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true }) updated_at!: string | null;
  /** When its value was last read, by the app or by the user, in seconds since 1970; null before the first time. */
  @ApiProperty({ type: 'integer', nullable: true }) last_accessed_at!: number | null;
}

/** A secret of an app itself, the same for all of its users, without its value. */
export class AppSecret {
  name!: string;
  description!: string;
  is_set!: boolean;
  /** When it was set; null when it is not. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true }) updated_at!: string | null;
}

export class SecretSetResponse {
  name!: string;
  is_set!: boolean;
}
