import type { Row } from '@platform/persistence';
import type { EntityManager } from 'typeorm';
import type { Developer, DeveloperTier } from './developer.entity.js';
import { DeveloperErrors } from './developers.errors.js';

/**
 * Returns the tier of a developer.
 *
 * @throws AppError 403 `developer.not_registered` if the user is not a developer.
 */
export async function getDeveloperTier(em: EntityManager, userId: string): Promise<DeveloperTier> {
  const [developer] = await em.query<Row<Developer, 'tier'>[]>('SELECT tier FROM developers WHERE user_id = $1', [
    userId,
  ]);
  if (!developer) throw DeveloperErrors.notRegistered();
  return developer.tier;
}
