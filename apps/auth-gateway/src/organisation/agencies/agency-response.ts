import type { AgencyResponse, AgencySettings } from '@platform/contracts';
import { columns, type RowOf } from '@platform/persistence';
import { Agency } from '../../identity/accounts/agency.entity.js';

export const AGENCY_COLUMNS = columns(
  Agency,
  ['agencyId', 'displayName', 'domain', 'settings', 'theme', 'createdAt'],
  'a',
);
export type AgencyRow = RowOf<typeof AGENCY_COLUMNS>;

/** Id of the placeholder that users without an agency get. */
export const PLACEHOLDER_AGENCY = 'default';

export const toAgencyResponse = ({
  agency_id,
  display_name,
  domain,
  settings,
  theme,
  created_at,
}: AgencyRow): AgencyResponse => ({
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
