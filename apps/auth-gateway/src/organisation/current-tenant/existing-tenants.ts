import { TenantData } from '@platform/persistence';
import type { EntityManager } from 'typeorm';
import { TenantErrors } from '../../identity/accounts/tenants.errors.js';

/**
 * Checks that a tenant in a request exists. A deleted tenant still counts as existing.
 *
 * @param loc position of the tenant id in the request, for the error.
 * @throws ValidationFailed if it does not exist.
 */
export async function assertTenantExists(em: EntityManager, id: string, loc: string[]): Promise<void> {
  const found = await new TenantData(em, id).query<object>('SELECT 1 FROM tenants WHERE id = $tenant');
  if (!found.length) throw TenantErrors.unknown(loc);
}
