import type { EntityManager } from 'typeorm';

/**
 * Locks a user against deletion until the transaction ends, and waits for a running deletion. Call
 * it first in a transaction, because account deletion also locks the user first.
 *
 * @returns true if the user is locked; false if the user does not exist or is deleted. Then write
 * no more data for the user.
 */
export async function lockAccount(em: EntityManager, userId: string): Promise<boolean> {
  return (
    (await em.query<unknown[]>('SELECT 1 FROM users WHERE id = $1 AND erased_at IS NULL FOR KEY SHARE', [userId]))
      .length > 0
  );
}
