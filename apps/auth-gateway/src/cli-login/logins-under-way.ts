import type { EntityManager } from 'typeorm';

/**
 * Ends the approved device logins and the one-time codes of a user, or of everybody of a tenant, which has just been deactivated in this
 * transaction: they must not come back with it. Skips a row that somebody holds: who approves or mints looks at the user once more, and who
 * redeems uses it up and finds that its user may not sign in. So nobody waits for another in a circle.
 */
export async function endLoginsUnderWay(em: EntityManager, whose: { userId: string } | { tenantId: string }): Promise<void> {
  const [users, value] = 'userId' in whose ? ['$1', whose.userId] : ['SELECT id FROM users WHERE tenant_id = $1', whose.tenantId];
  await em.query(
    `DELETE FROM cli_codes WHERE code_hash IN (
       SELECT code_hash FROM cli_codes WHERE user_id IN (${users}) AND consumed_at IS NULL FOR UPDATE SKIP LOCKED)`,
    [value],
  );
  await em.query(
    `DELETE FROM device_codes WHERE device_hash IN (SELECT device_hash FROM device_codes WHERE user_id IN (${users}) FOR UPDATE SKIP LOCKED)`,
    [value],
  );
}
