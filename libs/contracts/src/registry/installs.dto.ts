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
  /** What the user set for this app. Absent: as it was, `{}` at first. */
  @IsOptional() @IsJsonObject(MAX_CONFIG_BYTES) config?: Record<string, unknown> | null;
}

/** An API key that changed an install at the Registry. */
export class InstallKey {
  id!: string;
  /** What the key was given. */
  scopes!: string[];
}

export class RegistryInstall {
  user_id!: string;
  app_id!: string;
  installed_at!: Date;
  /** @example installed */
  status!: string;
  config!: Record<string, unknown>;
  /** The API key that registered it, with which it ends unless the user agrees at the gateway; null for a trusted backend. */
  changed_by!: InstallKey | null;
  /** Grows with every change of any install: of two states of the same install the one with the higher revision is newer. */
  @ApiProperty({ type: 'integer' }) revision!: number;
}

export class RemovedInstall {
  user_id!: string;
  app_id!: string;
  /** @example removed */
  status!: string;
  removed_at!: Date;
  /** The API key that removed it; null for a trusted backend. */
  changed_by!: InstallKey | null;
  @ApiProperty({ type: 'integer' }) revision!: number;
}

export class ListInstallsQuery {
  @IsQueryInteger({ minimum: 1, maximum: 500, default: 100 }) limit: number = 100;
  @IsQueryInteger({ minimum: 0, maximum: 1_000_000, default: 0 }) offset: number = 0;
}

export class InstallChangesQuery {
  /** The revision of the last change that the caller knows. */
  @IsQueryInteger({ minimum: 0, maximum: MAX_REVISION, default: 0 }) after: number = 0;
  @IsQueryInteger({ minimum: 1, maximum: 1_000, default: 500 }) limit: number = 500;
}

/** The present state of an install that changed, and not each of its changes. */
export class InstallChange {
  user_id!: string;
  app_id!: string;
  installed!: boolean;
  installed_at!: Date;
  removed_at!: Date | null;
  /** The API key that registered or removed it; null for a trusted backend. */
  changed_by!: InstallKey | null;
  @ApiProperty({ type: 'integer' }) revision!: number;
}

export class InstallChangesResponse {
  /** By revision. */
  changes!: InstallChange[];
  /** Where to continue: every change up to this revision has been told. */
  @ApiProperty({ type: 'integer' }) next_after!: number;
  /** False when nothing is left. */
  has_more!: boolean;
}
