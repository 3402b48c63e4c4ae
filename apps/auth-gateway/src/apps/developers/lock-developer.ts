import type { DeveloperTier } from '@platform/contracts';
import type { EntityManager } from 'typeorm';

interface LockedDeveloper {
  tier: DeveloperTier;
  tenantId: string;
}

/** Until the end of the transaction their tier stays, and nobody else counts their apps. Undefined when the user is no developer. */
export async function lockDeveloper(em: EntityManager, userId: string): Promise<LockedDeveloper | undefined> {
  const [developer] = await em.query<LockedDeveloper[]>(
    `SELECT d.tier, u.tenant_id AS "tenantId" FROM developers d JOIN users u ON u.id = d.user_id
     WHERE d.user_id = $1 FOR NO KEY UPDATE OF d`,
    [userId],
  );
  return developer;
}
