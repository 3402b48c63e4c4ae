import { Injectable } from '@nestjs/common';
import {
  MOST_UNREAD_COUNTED,
  type ReadNotificationsRequest,
  type UnreadNotificationsResponse,
} from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { Outbox, TenantData } from '@platform/persistence';
import { DataSource } from 'typeorm';
import { publishEvent } from '../../kernel/events/publish-event.js';
import { NotificationErrors } from './notifications.errors.js';

/** Most notifications that one request marks. Older ones are left for the next request. */
const MOST_MARKED = 10_000;

/** Marks notifications as read, and counts unread ones. */
@Injectable()
export class ReadNotificationsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
  ) {}

  /** Number of unread notifications, at most `MOST_UNREAD_COUNTED`. */
  async getUnreadCount({ userId, tenantId }: UserCaller): Promise<number> {
    return countUnread(new TenantData(this.dataSource.manager, tenantId), userId);
  }

  /**
   * Marks the notifications `ids` as read, or `until` and all older ones, at most 10,000. If that
   * changes something, tells the user's other devices. A retry changes nothing. Returns the number
   * of unread notifications.
   *
   * @throws AppError 404 `notification.not_found` if `until` is not a notification of the user;
   * ValidationFailed unless the request has exactly one of `ids` and `until`.
   */
  async markRead(
    { userId, tenantId }: UserCaller,
    { ids, until }: ReadNotificationsRequest,
  ): Promise<UnreadNotificationsResponse> {
    const named = ids ?? until;
    if (named == null || (ids != null && until != null)) throw NotificationErrors.oneOfTheTwo();
    return this.outbox.transaction(async (em) => {
      const tenant = new TenantData(em, tenantId);
      // Allows one request at a time per user, so that the last published count is correct.
      await tenant.query('SELECT 1 FROM users WHERE tenant_id = $tenant AND id = $1 FOR NO KEY UPDATE', [userId]);
      const marked =
        typeof named === 'string' ? await markUntil(tenant, userId, named) : await markThese(tenant, userId, named);
      const unread = await countUnread(tenant, userId);
      if (marked)
        await publishEvent(em, { type: 'notification.read', tenantId, userId, data: { unread_count: unread } });
      return { unread_count: unread };
    });
  }
}

async function markThese(tenant: TenantData, userId: string, ids: readonly string[]): Promise<number> {
  const marked = await tenant.query(
    'UPDATE notifications SET read_at = now() WHERE tenant_id = $tenant AND user_id = $1 AND id = ANY ($2) AND read_at IS NULL RETURNING 1',
    [userId, ids],
  );
  return marked.length;
}

async function markUntil(tenant: TenantData, userId: string, until: string): Promise<number> {
  const named = await tenant.query(
    'SELECT 1 FROM notifications WHERE tenant_id = $tenant AND user_id = $1 AND id = $2',
    [userId, until],
  );
  if (!named.length) throw NotificationErrors.notFound();
  const marked = await tenant.query(
    `UPDATE notifications SET read_at = now() WHERE id IN (
       SELECT id FROM notifications WHERE tenant_id = $tenant AND user_id = $1 AND read_at IS NULL
         AND (created_at, id) <= (SELECT created_at, id FROM notifications WHERE tenant_id = $tenant AND user_id = $1 AND id = $2)
       ORDER BY created_at DESC, id DESC LIMIT ${MOST_MARKED}) AND read_at IS NULL RETURNING 1`,
    [userId, until],
  );
  return marked.length;
}

async function countUnread(tenant: TenantData, userId: string): Promise<number> {
  const [counted] = await tenant.query<{ unread: number }>(
    `SELECT count(*)::int AS unread FROM (
       SELECT 1 FROM notifications WHERE tenant_id = $tenant AND user_id = $1 AND read_at IS NULL LIMIT ${MOST_UNREAD_COUNTED}) AS unread`,
    [userId],
  );
  return counted?.unread ?? 0;
}
