import type { AgencyResponse, AgencySettings, AgencyTheme } from '@platform/contracts';

export interface AgencyRow {
  agency_id: string;
  display_name: string;
  domain: string | null;
  settings: AgencySettings;
  theme: AgencyTheme | null;
  created_at: Date;
}

/** The columns of `AgencyRow`, over `agencies a`. */
export const AGENCY_COLUMNS = 'a.agency_id, a.display_name, a.domain, a.settings, a.theme, a.created_at';

/** The agency that is shown to whoever has none. */
export const PLACEHOLDER_AGENCY = 'default';

export const toAgencyResponse = ({ agency_id, display_name, domain, settings, theme, created_at }: AgencyRow): AgencyResponse => ({
  agency_id,
  display_name,
  domain,
  settings: withDarkLogo(settings),
  theme,
  created_at,
});

const withDarkLogo = ({ logo_url, logo_dark_url = logo_url, ...others }: AgencySettings): AgencySettings => ({
  ...others,
  logo_url,
  logo_dark_url,
});
