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
 * Changes the settings that are named and keeps all others. Null removes a setting. All settings
 * together have at most 64 KiB as JSON.
 */
export class AgencySettingsUpdate {
  /** An https URL with a host name, or a path of the panel such as `/logo.svg`. */
  @IsOptional() @IsLogoUrl() logo_url?: string | null;
  /** Logo for the dark mode. If it is not set, `logo_url` is used. */
  @IsOptional() @IsLogoUrl() logo_dark_url?: string | null;
  /** Compliance tier of the agency. The platform stores it and does not use it. */
  @IsOptional() @IsOneOf(COMPLIANCE_TIERS) compliance_tier?: ComplianceTier | null;
  /** Retention in days. The platform stores it and does not use it. */
  @IsOptional() @IsWholeNumber(1, 3_650) retention_days?: number | null;
  /**
   * Settings of your own, which the platform stores and does not use. They are merged key by key: a
   * key that is absent keeps its value, null removes a key. A key that names a secret, such as
   * `api_key`, is refused at any depth.
   */
  @IsExtraSettings() extra?: Record<string, unknown>;
}

export class CreateAgencyRequest {
  /**
   * Id of the agency, unique within the tenant. `default` is reserved for users without an agency.
   * @example acme
   */
  @IsPattern(/^(?!default$)[a-z0-9][a-z0-9_-]{2,49}$/, { minLength: 3, maxLength: 50 }) agency_id!: string;
  /**
   * Name of the agency, for people.
   * @example Acme Travel
   */
  @IsLine(255) @MinLength(1, { message: 'String should have at least 1 character' }) display_name!: string;
  /**
   * Host name of the agency, unique on the platform. It is stored in lower case; names in other
   * scripts are stored in their ASCII form (IDNA).
   */
  @IsOptional() @IsHostName() domain?: string | null;
  /** Only administrators and backends can set settings. */
  @IsOptional()
  @IsObject({ message: 'Input should be a valid dictionary' })
  @ValidateNested()
  @Type(() => AgencySettingsUpdate)
  settings?: AgencySettingsUpdate | null;
}

export class ListAgenciesQuery {
  /** Maximum number of items in the answer. */
  @IsQueryInteger({ minimum: 1, maximum: 500, default: 100 }) limit: number = 100;
  /** Number of items to skip. */
  @IsQueryInteger({ minimum: 0, maximum: 1_000_000, default: 0 }) offset: number = 0;
}

/** Settings of an agency. A setting that is not set is absent. */
export class AgencySettings {
  /** An https URL, or a path of the panel such as `/logo.svg`. */
  logo_url?: string;
  /** Logo for the dark mode; equal to `logo_url` if none was set. */
  logo_dark_url?: string;
  /** Compliance tier of the agency. The platform stores it and does not use it. */
  @IsOneOf(COMPLIANCE_TIERS) compliance_tier?: ComplianceTier;
  /** Retention in days. The platform stores it and does not use it. */
  @ApiProperty({ type: 'integer', required: false }) retention_days?: number;
  /** Settings of your own, which the platform stores and does not use. */
  extra?: Record<string, unknown>;
}

export class AgencyResponse {
  /** Id of the agency, unique within the tenant. */
  agency_id!: string;
  /** Name of the agency, for people. */
  display_name!: string;
  /** Host name of the agency; null if there is none. */
  domain!: string | null;
  /** Settings of the agency. */
  settings!: AgencySettings;
  /** Theme of the agency. Null: the theme of the platform. */
  theme!: AgencyTheme | null;
  /** Time of creation. */
  created_at!: Date;
}
