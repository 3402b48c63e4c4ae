import { describeEventLimit, countEventBytes, type Row } from '@platform/persistence';
import { Errors } from '@platform/platform';
import type { EntityManager } from 'typeorm';
import type { App } from '../../apps/model/app.entity.js';

const DAY_SECONDS = 86_400;

/**
 * Returns the ID of the owner of the event quota of an app: its developer, or the app itself if it
 * has none.
 */
export async function findEventOwner(em: EntityManager, appId: string): Promise<string> {
  const [app] = await em.query<Row<App, 'developerId'>[]>('SELECT developer_id FROM apps WHERE app_id = $1', [appId]);
  return app?.developer_id ?? appId;
}

/**
 * Counts the size of the event for the daily quota (UTC) of a developer's apps, in the caller's
 * transaction. Events of one user can take a quarter of it, events without a user half of it.
 *
 * @throws AppError 429 `event.quota_exceeded` if the quota, or this share of it, has no room for
 * the event. The transaction must be rolled back then.
 */
export async function consumeEventQuota(
  em: EntityManager,
  publisher: { owner: string; userId: string | null },
  data: object,
  quotaMb: number,
): Promise<void> {
  const limit = await countEventBytes(em, publisher, data, quotaMb * 1024 * 1024);
  if (limit)
    throw Errors.limited(
      'event.quota_exceeded',
      describeEventLimit(limit),
      DAY_SECONDS - ((Date.now() / 1_000) % DAY_SECONDS),
    );
}
