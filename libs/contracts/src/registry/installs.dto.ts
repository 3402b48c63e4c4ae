import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsPattern, IsQueryInteger } from '../validators.js';
import { IsPlatformId } from './apps.dto.js';
import { IsJsonObject } from './json-object.js';

const MAX_CONFIG_BYTES = 16 * 1024;
const MAX_REVISION = Number.MAX_SAFE_INTEGER;

export class InstallsPath {
  @IsPlatformId() user_id!: string;
}

export class RegisterInstallRequest {
  @IsPattern(/^[a-z0-9][a-z0-9_-]{1,63}$/, { minLength: 2, maxLength: 64, example: 'invoices' }) app_id!: string;
  /** Settings of the user for this app. Absent: the current settings, `{}` for a new install. */
  @IsOptional() @IsJsonObject(MAX_CONFIG_BYTES) config?: Record<string, unknown> | null;
}

/** An API key that changed an install at the Registry. */
export class InstallKey {
  id!: string;
  /** Scopes that the key was created with. */
  scopes!: string[];
}

export class RegistryInstall {
  user_id!: string;
  app_id!: string;
  installed_at!: Date;
  /** @example installed */
  status!: string;
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
  user_id!: string;
  app_id!: string;
  /** @example removed */
  status!: string;
  removed_at!: Date;
  /** API key that removed the install; null for a backend. */
  changed_by!: InstallKey | null;
  @ApiProperty({ type: 'integer' }) revision!: number;
}

export class ListInstallsQuery {
  @IsQueryInteger({ minimum: 1, maximum: 500, default: 100 }) limit: number = 100;
  @IsQueryInteger({ minimum: 0, maximum: 1_000_000, default: 0 }) offset: number = 0;
}

export class InstallChangesQuery {
  /** Revision of the last change that the caller knows. */
  @IsQueryInteger({ minimum: 0, maximum: MAX_REVISION, default: 0 }) after: number = 0;
  @IsQueryInteger({ minimum: 1, maximum: 1_000, default: 500 }) limit: number = 500;
}

/** Current state of an install that has changed. Intermediate changes are not listed. */
export class InstallChange {
  user_id!: string;
  app_id!: string;
  installed!: boolean;
  installed_at!: Date;
  removed_at!: Date | null;
  /** API key that registered or removed the install; null for a backend. */
  changed_by!: InstallKey | null;
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
