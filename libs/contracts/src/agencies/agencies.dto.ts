import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsObject, IsOptional, MinLength, ValidateNested } from 'class-validator';
import { IsHostName } from '../host-names.js';
import { IsLine, IsOneOf, IsPattern, IsQueryInteger, IsWholeNumber } from '../validators.js';
import { IsExtraSettings } from './extra-settings.js';
import { IsLogoUrl } from './logo-urls.js';
import { AgencyTheme } from './theme.dto.js';

export const COMPLIANCE_TIERS = ['standard', 'federal', 'enterprise'] as const;
export type ComplianceTier = (typeof COMPLIANCE_TIERS)[number];

/**
 * Changes the settings that it names and keeps all others. Null removes a setting. The settings as a whole have at most 64 KiB as
 * JSON.
 */
export class AgencySettingsUpdate {
  /** An https URL with a host name, or a path of the panel such as `/logo.svg`. */
  @IsOptional() @IsLogoUrl() logo_url?: string | null;
  /** Where it is not set, the logo for the dark mode is `logo_url`. */
  @IsOptional() @IsLogoUrl() logo_dark_url?: string | null;
  @IsOptional() @IsOneOf(COMPLIANCE_TIERS) compliance_tier?: ComplianceTier | null;
  @IsOptional() @IsWholeNumber(1, 3_650) retention_days?: number | null;
  /**
   * Settings that the platform does not know. They are merged key by key: a key that is not named keeps its value, null removes one. A
   * key that names a secret is refused at any depth.
   */
  @IsExtraSettings() extra?: Record<string, unknown>;
}

export class CreateAgencyRequest {
  /**
   * Unique within the tenant; `default` is what those without an agency are shown.
   * @example acme
   */
  @IsPattern(/^(?!default$)[a-z0-9][a-z0-9_-]{2,49}$/, { minLength: 3, maxLength: 50 }) agency_id!: string;
  /** @example Acme Travel */
  @IsLine(255) @MinLength(1, { message: 'String should have at least 1 character' }) display_name!: string;
  /** Unique on the platform. It is kept in lower case, and other scripts in their ASCII form. */
  @IsOptional() @IsHostName() domain?: string | null;
  /** Only an administrator or a trusted backend may give settings. */
  @IsOptional()
  @IsObject({ message: 'Input should be a valid dictionary' })
  @ValidateNested()
  @Type(() => AgencySettingsUpdate)
  settings?: AgencySettingsUpdate | null;
}

export class ListAgenciesQuery {
  @IsQueryInteger({ minimum: 1, maximum: 500, default: 100 }) limit: number = 100;
  @IsQueryInteger({ minimum: 0, maximum: 1_000_000, default: 0 }) offset: number = 0;
}

/** What is not set is not in it. */
export class AgencySettings {
  logo_url?: string;
  /** `logo_url` where none is set for the dark mode. */
  logo_dark_url?: string;
  @IsOneOf(COMPLIANCE_TIERS) compliance_tier?: ComplianceTier;
  @ApiProperty({ type: 'integer', required: false }) retention_days?: number;
  extra?: Record<string, unknown>;
}

export class AgencyResponse {
  agency_id!: string;
  display_name!: string;
  domain!: string | null;
  settings!: AgencySettings;
  /** Null: the platform's own. */
  theme!: AgencyTheme | null;
  created_at!: Date;
}
