import { ApiProperty } from '@nestjs/swagger';
import { SECRET_WRITE_MODES, type SecretWriteMode } from './runtime/secrets.dto.js';
import { IsAppId, IsPattern } from './validators.js';

const SECRET_NAME = /^[a-z][a-z0-9_]{0,62}$/;

/** A secret that an app declares. */
export class SecretPath {
  /** Id of the app. */
  @IsAppId() app_id!: string;
  /** Name of the secret. */
  @IsPattern(SECRET_NAME, { maxLength: 63, example: 'api_token' }) name!: string;
}

/** A user's own secret for an app, without its value. */
export class UserSecret {
  /** Name of the secret. */
  name!: string;
  /** Description of the secret, as the app declares it. */
  description!: string;
  /** True if the secret has a value. */
  is_set!: boolean;
  /** Parties that can set the secret: the user, the app (`extension`), or both. */
  @ApiProperty({ enum: SECRET_WRITE_MODES }) write_mode!: SecretWriteMode;
  /** Time at which it was last set; null if it is not set. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true }) updated_at!: string | null;
  /**
   * Unix time in seconds at which the app or the user last read the value; null if nobody read it.
   */
  @ApiProperty({ type: 'integer', nullable: true }) last_accessed_at!: number | null;
}

/** A secret of an app that is the same for all its users, without its value. */
export class AppSecret {
  /** Name of the secret. */
  name!: string;
  /** Description of the secret, as the app declares it. */
  description!: string;
  /** True if the secret has a value. */
  is_set!: boolean;
  /** Time at which it was last set; null if it is not set. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true }) updated_at!: string | null;
}

export class SecretSetResponse {
  /** Name of the secret. */
  name!: string;
  /** True if the secret has a value. */
  is_set!: boolean;
}
