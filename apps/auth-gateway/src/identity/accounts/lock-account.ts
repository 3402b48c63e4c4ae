import type { EntityManager } from 'typeorm';

/**
 * Keeps a user from being erased until the transaction ends, and waits for who erases them. False where they are not there, or erased by then: then nothing of
 * theirs may be written any more. First in a transaction, as an erasure locks the user before anything that is theirs.
 */
export async function lockAccount(em: EntityManager, userId: string): Promise<boolean> {
  return (await em.query<unknown[]>('SELECT 1 FROM users WHERE id = $1 AND erased_at IS NULL FOR KEY SHARE', [userId])).length > 0;
}
