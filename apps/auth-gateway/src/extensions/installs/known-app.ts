import type { Row } from '@platform/persistence';
import type { EntityManager } from 'typeorm';
import type { App } from '../../apps/model/app.entity.js';

/**
 * Returns the app if the user is allowed to know that it exists. Null for an unknown app, and for
 * an unpublished app that the user never had, even for its developer.
 */
export async function findKnownApp(
  em: EntityManager,
  userId: string,
  appId: string,
): Promise<{ system: boolean } | null> {
  const [app] = await em.query<Row<App, 'system'>[]>(
    `SELECT system FROM apps a WHERE app_id = $1
       AND (status = 'active' OR EXISTS (SELECT FROM installs i WHERE i.user_id = $2 AND i.app_id = a.app_id))`,
    [appId, userId],
  );
  return app ?? null;
}
