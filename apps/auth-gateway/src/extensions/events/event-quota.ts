import { describeEventLimit, takeEventBytes, type Row } from '@platform/persistence';
import { Errors } from '@platform/platform';
import type { EntityManager } from 'typeorm';
import type { App } from '../../apps/model/app.entity.js';

const DAY_SECONDS = 86_400;

/** For whom it counts what an app publishes: its developer. */
export async function eventOwnerOf(em: EntityManager, appId: string): Promise<string> {
  const [app] = await em.query<Row<App, 'developerId'>[]>('SELECT developer_id FROM apps WHERE app_id = $1', [appId]);
  return app?.developer_id ?? appId;
}

/**
 * Counts it among what the apps of a developer publish today (UTC), in the caller's transaction.
 *
 * @throws AppError 429 `event.quota_exceeded` for more than there is room for, in all or for this user.
 */
export async function takeEventQuota(
  em: EntityManager,
  publisher: { owner: string; userId: string | null },
  data: object,
  quotaMb: number,
): Promise<void> {
  const limit = await takeEventBytes(em, publisher, data, quotaMb * 1024 * 1024);
  if (limit) throw Errors.limited('event.quota_exceeded', describeEventLimit(limit), DAY_SECONDS - ((Date.now() / 1_000) % DAY_SECONDS));
}
