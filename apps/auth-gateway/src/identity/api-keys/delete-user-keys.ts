import type { Row } from '@platform/persistence';
import type { EntityManager } from 'typeorm';
import type { ApiKey } from './api-key.entity.js';

/**
 * Deletes all API keys of a user. Returns the `lookup` of each, the part of a key by which it is
 * found; publish them as `API_KEY_DELETED` after the transaction. Account deletion does not use it:
 * there a step of `ApiKeysService` deletes the keys.
 */
export async function deleteUserKeys(em: EntityManager, userId: string): Promise<string[]> {
  const [deleted] = await em.query<[Row<ApiKey, 'lookup'>[], number]>(
    'DELETE FROM api_keys WHERE user_id = $1 RETURNING lookup',
    [userId],
  );
  return deleted.map(({ lookup }) => lookup);
}
