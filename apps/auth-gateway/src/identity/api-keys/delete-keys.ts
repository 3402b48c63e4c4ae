import type { Row } from '@platform/persistence';
import type { EntityManager } from 'typeorm';
import type { ApiKey } from './api-key.entity.js';

/**
 * Deletes all keys of a user. Returns their lookups, to be published as `API_KEY_DELETED` after the transaction. Keys of a user who is erased
 * are deleted by the step that `ApiKeys` registers.
 */
export async function deleteKeysOf(em: EntityManager, userId: string): Promise<string[]> {
  const [deleted] = await em.query<[Row<ApiKey, 'lookup'>[], number]>('DELETE FROM api_keys WHERE user_id = $1 RETURNING lookup', [userId]);
  return deleted.map(({ lookup }) => lookup);
}
