import { Injectable } from '@nestjs/common';
import {
  channelsOf,
  type HostNotificationRequest,
  type ListNotificationsQuery,
  type NotificationChannel,
  type NotificationResponse,
  type NotificationSentResponse,
  type NotificationSettings,
  type NotificationsResponse,
} from '@platform/contracts';
import { RateLimiter, type UserCaller } from '@platform/guards';
import { JobsService } from '@platform/messaging';
import { RetentionService, Outbox, TenantData } from '@platform/persistence';
import { newId } from '@platform/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { publishEvent } from '../../kernel/events/publish-event.js';
import { AccountDeletionService, rowsOfUser } from '../../kernel/account-deletion/account-deletion.service.js';
import { mailQueue } from '../../identity/mail/mail.jobs.js';
import { HOUR, policy } from '../../kernel/rate-limits.js';
import { NotificationErrors } from './notifications.errors.js';
import { ReadNotificationsService } from './read-notifications.service.js';

/**
 * Limit of mails from one app to one user. Above it, notifications with the channel `email` are not
 * sent. `RATE_LIMIT_SCALE` does not change it.
 */
const APP_MAIL_LIMIT = policy('app-mail', 20, HOUR);

/** Channels by the names that apps use. */
const CHANNELS: Partial<Record<string, NotificationChannel>> = { in_app: 'in_app', bell: 'in_app', email: 'email' };

/**
 * Senders of the platform that a user can mute. Notifications about money, requested scopes and
 * disabled webhook endpoints cannot be muted.
 */
const MUTABLE: ReadonlySet<string> = new Set(['automations', 'developer']);

/** A notification from an app to a user. */
type AppNotification = Omit<HostNotificationRequest, 'grant'> & { app_id: string; user_id: string; tenant_id: string };
type PlatformNotification = Pick<AppNotification, 'app_id' | 'user_id' | 'tenant_id' | 'message'> &
  Partial<AppNotification>;

/** Stores and mails notifications from apps and the platform. */
@Injectable()
export class UserNotificationsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly jobs: JobsService,
    private readonly limiter: RateLimiter,
    private readonly reading: ReadNotificationsService,
    retention: RetentionService,
    accountDeletion: AccountDeletionService,
  ) {
    retention.registerExpiredRows({
      table: 'notifications',
      key: 'id',
      where: "created_at < now() - interval '90 days'",
    });
    accountDeletion.addDataStep(rowsOfUser('notifications'));
  }

  /**
   * Sends a notification of an app to a user. The channel `email` stores it and mails it, or only
   * stores it if the user wants no mails; `in_app` and `bell` store it. `sent` is false, and
   * nothing is stored, for another channel, if the user's settings do not allow it, and for one to
   * be mailed if the app has sent the user 20 mails within an hour.
   *
   * @throws AppError 404 `user.not_found` unless this is an active user of the tenant.
   */
  async sendNotification(request: AppNotification): Promise<NotificationSentResponse> {
    const { app_id, user_id, tenant_id } = request;
    const asked = CHANNELS[request.channel];
    const [user] = await new TenantData(this.dataSource.manager, tenant_id).query<{
      settings: NotificationSettings | null;
    }>('SELECT notification_settings AS settings FROM users WHERE tenant_id = $tenant AND id = $1 AND is_active', [
      user_id,
    ]);
    if (!user) throw NotificationErrors.userNotFound();
    const wanted = channelsOf(user.settings, app_id);
    const isMail = asked === 'email' && wanted.includes('email');
    const channel = isMail ? 'email' : asked && wanted.includes('bell') ? 'in_app' : null;
    if (!channel || (isMail && !(await this.consumeMailLimit(app_id, user_id)))) return { sent: false };
    await this.outbox.transaction(async (em) => {
      const id = await this.insert(em, request, channel);
      if (isMail) await this.jobs.enqueue(em, mailQueue, 'notification', { notification_id: id });
    });
    return { sent: true };
  }

  /**
   * Stores a notification of the platform in the caller's transaction, unless the user has muted
   * its sender; only `automations` and `developer` can be muted. Sends no mail.
   */
  async storeNotification(em: EntityManager, notification: PlatformNotification): Promise<void> {
    const { app_id, user_id, tenant_id } = notification;
    if (MUTABLE.has(app_id)) {
      const [user] = await new TenantData(em, tenant_id).query<{ settings: NotificationSettings | null }>(
        'SELECT notification_settings AS settings FROM users WHERE tenant_id = $tenant AND id = $1',
        [user_id],
      );
      if (!channelsOf(user?.settings ?? null, app_id).includes('bell')) return;
    }
    await this.insert(em, notification, 'in_app');
  }

  /**
   * Stores the notification, publishes the event `notification.created`, and returns the ID. For a
   * deleted user, does neither.
   */
  private async insert(
    em: EntityManager,
    notification: PlatformNotification,
    channel: NotificationChannel,
  ): Promise<string> {
    const { app_id, user_id, tenant_id, message, priority = 'normal', subject = null, body = null } = notification;
    const id = newId('ntf');
    await new TenantData(em, tenant_id).query(
      `INSERT INTO notifications (id, user_id, tenant_id, app_id, channel, priority, subject, message, body)
       SELECT $1, id, $tenant, $3, $4, $5, $6, $7, $8 FROM users WHERE id = $2 AND erased_at IS NULL FOR KEY SHARE`,
      [id, user_id, app_id, channel, priority, subject, message, body],
    );
    const data = { notification_id: id, app_id, priority, subject, message };
    await publishEvent(em, { type: 'notification.created', tenantId: tenant_id, userId: user_id, data });
    return id;
  }

  /** Returns a page of the user's notifications, newest first, and the number of unread ones. */
  async listNotifications(
    user: UserCaller,
    { limit, offset, unread }: ListNotificationsQuery,
  ): Promise<NotificationsResponse> {
    const tenant = new TenantData(this.dataSource.manager, user.tenantId);
    const items = await tenant.query<NotificationResponse>(
      `SELECT id, app_id, message, channel, priority, subject, body, created_at, read_at FROM notifications
       WHERE tenant_id = $tenant AND user_id = $1 ${unread ? 'AND read_at IS NULL' : ''} ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3`,
      [user.userId, limit, offset],
    );
    return { items, unread_count: await this.reading.getUnreadCount(user) };
  }

  private async consumeMailLimit(appId: string, userId: string): Promise<boolean> {
    return (await this.limiter.consume(APP_MAIL_LIMIT, `${appId}\n${userId}`)).allowed;
  }
}
