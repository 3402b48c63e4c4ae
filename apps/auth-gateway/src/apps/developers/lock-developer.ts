import { columns, type RowOf } from '@platform/persistence';
import type { EntityManager } from 'typeorm';
import { Tenant } from '../../identity/accounts/tenant.entity.js';
import { User } from '../../identity/accounts/user.entity.js';
import { Developer } from './developer.entity.js';

const LOCKED = columns(Developer, ['tier', 'tierTerm', 'tierExpiresAt'], 'd');
const USER_COLUMNS = columns(User, ['tenantId', 'isActive'], 'u');
const TENANT_COLUMNS = columns(Tenant, ['isActive AS tenant_active'], 't');

export type LockedDeveloper = RowOf<typeof LOCKED> & RowOf<typeof USER_COLUMNS> & RowOf<typeof TENANT_COLUMNS>;

/**
 * Locks a developer until the end of the transaction: their tier cannot change, their apps cannot
 * be counted by another transaction, and their account cannot be deleted. Undefined if the user is
 * not a developer, was deleted, or does not meet `condition`.
 *
 * Locks the user first, as an account deletion does. Lock wallets after this.
 *
 * @param condition SQL with `d` for the developer, `u` for the user and `t` for the tenant.
 */
export async function lockDeveloper(
  em: EntityManager,
  userId: string,
  condition = 'true',
): Promise<LockedDeveloper | undefined> {
  const [developer] = await em.query<LockedDeveloper[]>(
    `SELECT ${LOCKED}, ${USER_COLUMNS}, ${TENANT_COLUMNS} FROM developers d JOIN users u ON u.id = d.user_id JOIN tenants t ON t.id = u.tenant_id
     WHERE d.user_id = $1 AND u.erased_at IS NULL AND ${condition} FOR KEY SHARE OF u FOR NO KEY UPDATE OF d`,
    [userId],
  );
  return developer;
}
