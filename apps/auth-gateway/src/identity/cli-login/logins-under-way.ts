import type { EntityManager } from 'typeorm';

/**
 * Ends the approved device logins and the one-time codes of everybody of a tenant, which has just been deactivated in this transaction: they
 * must not come back with it. (Those of one user end by their epoch, see `Sessions.endAll`; a tenant may have too many users for that.)
 * Skips a row that somebody holds: who approves or mints looks at the tenant once more, and who redeems uses it up and finds that its user
 * may not sign in. So nobody waits for another in a circle.
 */
export async function endLoginsUnderWay(em: EntityManager, tenantId: string): Promise<void> {
  const users = 'SELECT id FROM users WHERE tenant_id = $1';
  await em.query(
    `DELETE FROM cli_codes WHERE code_hash IN (
       SELECT code_hash FROM cli_codes WHERE user_id IN (${users}) AND consumed_at IS NULL FOR UPDATE SKIP LOCKED)`,
    [tenantId],
  );
  await em.query(
    `DELETE FROM device_codes WHERE device_hash IN (SELECT device_hash FROM device_codes WHERE user_id IN (${users}) FOR UPDATE SKIP LOCKED)`,
    [tenantId],
  );
}
