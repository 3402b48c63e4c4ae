import type { TenantData } from '@platform/persistence';
import { AGENCY_COLUMNS, type AgencyRow } from './agency-response.js';
import { AgencyErrors } from './agencies.errors.js';

export interface ChangedAgency<Value> {
  agency: AgencyRow;
  /** Previous value of the changed column. */
  before: Value;
}

/**
 * Sets a column of an agency to an SQL expression over its current value, so that concurrent
 * changes do not overwrite each other. Returns the agency after the change, and the previous value.
 *
 * @param values parameters of the expression, from `$2` on.
 * @throws AppError 404 `agency.not_found` if the tenant has no such agency.
 */
export async function changeAgency<Column extends 'settings' | 'theme'>(
  tenant: TenantData,
  agencyId: string,
  column: Column,
  expression: string,
  values: unknown[] = [],
): Promise<ChangedAgency<AgencyRow[Column]>> {
  const [row] = await tenant.query<AgencyRow & { before: AgencyRow[Column] }>(
    `WITH stored AS (SELECT ${column} FROM agencies WHERE tenant_id = $tenant AND agency_id = $1 FOR UPDATE)
     UPDATE agencies a SET ${column} = ${expression} FROM stored WHERE a.tenant_id = $tenant AND a.agency_id = $1
     RETURNING ${AGENCY_COLUMNS}, stored.${column} AS before`,
    [agencyId, ...values],
  );
  if (!row) throw AgencyErrors.notFound();
  const { before, ...agency } = row;
  return { agency, before };
}
