import type { EntityManager } from 'typeorm';

/** Whether a session can still be used: for what begins as one that can, and has waited since. */
export async function isLive(em: EntityManager, sessionId: string): Promise<boolean> {
  const [live] = await em.query<unknown[]>(
    'SELECT 1 FROM sessions WHERE id = $1 AND revoked_at IS NULL AND idle_expires_at > now() AND absolute_expires_at > now()',
    [sessionId],
  );
  return live !== undefined;
}
