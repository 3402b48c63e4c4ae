import type { Row } from '@platform/persistence';
import type { EntityManager } from 'typeorm';
import type { App } from '../model/app.entity.js';

/** Developer with a share in the current price of an app. */
export interface AppShare {
  developerId: string;
  /** Percentage. */
  split: number;
  /** Null for a free app. */
  priceVersion: number | null;
}

/**
 * Returns the developer of an app and their share in its current price. Null for a system app, an
 * app without a developer, or an unknown id.
 */
export async function findAppShare(em: EntityManager, appId: string): Promise<AppShare | null> {
  const [app] = await em.query<(Row<App, 'priceVersion'> & { developer_id: string; split: number })[]>(
    `SELECT a.developer_id, a.price_version, coalesce(p.split, a.revenue_split_dev) AS split
     FROM apps a LEFT JOIN app_prices p ON p.app_id = a.app_id AND p.version = a.price_version
     WHERE a.app_id = $1 AND a.developer_id IS NOT NULL AND NOT a.system`,
    [appId],
  );
  return app ? { developerId: app.developer_id, split: app.split, priceVersion: app.price_version } : null;
}
