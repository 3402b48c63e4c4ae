import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsPattern, IsQueryInteger } from '../validators.js';
import { IsPlatformId } from './apps.dto.js';
import { IsJsonObject } from './json-object.js';

const MAX_CONFIG_BYTES = 16 * 1024;
const MAX_REVISION = Number.MAX_SAFE_INTEGER;

export class InstallsPath {
  /** Id of the user. */
  @IsPlatformId() user_id!: string;
}

export class RegisterInstallRequest {
  /** Id of the app. */
  @IsPattern(/^[a-z0-9][a-z0-9_-]{1,63}$/, { minLength: 2, maxLength: 64, example: 'invoices' }) app_id!: string;
  /** Settings of the user for this app. Absent: the current settings, `{}` for a new install. */
  @IsOptional() @IsJsonObject(MAX_CONFIG_BYTES) config?: Record<string, unknown> | null;
}

/** An API key that changed an install at the Registry. */
export class InstallKey {
  /** Id of the key. */
  id!: string;
  /** Scopes that the key was created with. */
  scopes!: string[];
}

export class RegistryInstall {
  /** Id of the user. */
  user_id!: string;
  /** Id of the app. */
  app_id!: string;
  /** Time of the install. */
  installed_at!: Date;
  /**
   * Status of the install.
   * @example installed
   */
  status!: string;
  /** Settings of the user for this app. */
  config!: Record<string, unknown>;
  /**
   * API key that registered the install; null for a backend. If the key is deleted, the install
   * ends unless the user has confirmed it at the gateway.
   */
  changed_by!: InstallKey | null;
  /**
   * Increases with every change of any install. Of two states of an install, the one with the
   * higher revision is newer.
   */
  @ApiProperty({ type: 'integer' }) revision!: number;
}

export class RemovedInstall {
  /** Id of the user. */
  user_id!: string;
  /** Id of the app. */
  app_id!: string;
  /**
   * Result of the request.
   * @example removed
   */
  status!: string;
  /** Time of the removal. */
  removed_at!: Date;
  /** API key that removed the install; null for a backend. */
  changed_by!: InstallKey | null;
  /** Increases with every change of any install. */
  @ApiProperty({ type: 'integer' }) revision!: number;
}

export class ListInstallsQuery {
  /** Maximum number of items in the answer. */
  @IsQueryInteger({ minimum: 1, maximum: 500, default: 100 }) limit: number = 100;
  /** Number of items to skip. */
  @IsQueryInteger({ minimum: 0, maximum: 1_000_000, default: 0 }) offset: number = 0;
}

export class InstallChangesQuery {
  /** Revision of the last change that the caller knows. */
  @IsQueryInteger({ minimum: 0, maximum: MAX_REVISION, default: 0 }) after: number = 0;
  /** Maximum number of items in the answer. */
  @IsQueryInteger({ minimum: 1, maximum: 1_000, default: 500 }) limit: number = 500;
}

/** Current state of an install that has changed. Intermediate changes are not listed. */
export class InstallChange {
  /** Id of the user. */
  user_id!: string;
  /** Id of the app. */
  app_id!: string;
  /** True if the user has the app now. */
  installed!: boolean;
  /** Time of the install. */
  installed_at!: Date;
  /** Time of the removal; null while the app is installed. */
  removed_at!: Date | null;
  /** API key that registered or removed the install; null for a backend. */
  changed_by!: InstallKey | null;
  /** Increases with every change of any install. */
  @ApiProperty({ type: 'integer' }) revision!: number;
}

export class InstallChangesResponse {
  /** Changes, ordered by revision. */
  changes!: InstallChange[];
  /** Value of `after` for the next request. All changes up to this revision were returned. */
  @ApiProperty({ type: 'integer' }) next_after!: number;
  /** True if there are more changes. */
  has_more!: boolean;
}
