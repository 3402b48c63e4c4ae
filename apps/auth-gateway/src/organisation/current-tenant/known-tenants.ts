import { TenantData } from '@platform/persistence';
import type { EntityManager } from 'typeorm';
import { TenantErrors } from '../../identity/accounts/tenants.errors.js';

/**
 * For a tenant that a request names. A tenant that was deleted is there.
 *
 * @param loc where the request names it.
 * @throws ValidationFailed
 */
export async function assertTenantThere(em: EntityManager, id: string, loc: string[]): Promise<void> {
  const found = await new TenantData(em, id).query<object>('SELECT 1 FROM tenants WHERE id = $tenant');
  if (!found.length) throw TenantErrors.unknown(loc);
}
