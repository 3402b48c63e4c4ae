import type { EntityManager } from 'typeorm';

/**
 * Deletes the decided device logins and the unused one-time codes of all users of a tenant, so that
 * they do not work if the tenant is activated again. Call it in the transaction that deactivates
 * the tenant. (For a single user, `SessionsService.endUserSessions` makes them invalid.)
 *
 * It skips locked rows to avoid deadlocks. This is safe: an approval or a new code checks the
 * tenant again, and redeeming uses the row up and finds that the user cannot sign in.
 */
export async function deletePendingLogins(em: EntityManager, tenantId: string): Promise<void> {
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
