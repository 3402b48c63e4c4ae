import { Injectable } from '@nestjs/common';
import type {
  HostNotificationRequest,
  ListNotificationsQuery,
  NotificationChannel,
  NotificationResponse,
  NotificationSentResponse,
  NotificationsResponse,
} from '@platform/contracts';
import { RateLimiter, type UserCaller } from '@platform/guards';
import { Jobs } from '@platform/messaging';
import { Expiries, Outbox, TenantData } from '@platform/persistence';
import { AppError, newId } from '@platform/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { Erasures, rowsOfUser } from '../../kernel/erasure/erasures.js';
import { mailQueue } from '../../identity/mail/mail.jobs.js';
import { HOUR, policy } from '../../kernel/rate-limits.js';

/** Mails of one app to one user. Beyond them the notification is kept without mail. `RATE_LIMIT_SCALE` leaves it as it is. */
const APP_MAIL_LIMIT = policy('app-mail', 20, HOUR);

/** As apps name them. */
const CHANNELS: Partial<Record<string, NotificationChannel>> = { in_app: 'in_app', bell: 'in_app', email: 'email' };

const userNotFound = () => new AppError(404, 'user.not_found', 'There is no such user in this tenant.');

/** From an app to a user. */
type AppNotification = Omit<HostNotificationRequest, 'grant'> & { app_id: string; user_id: string; tenant_id: string };
type KeptNotification = Pick<AppNotification, 'app_id' | 'user_id' | 'tenant_id' | 'message'> & Partial<AppNotification>;

/** What apps tell users. */
@Injectable()
export class UserNotifications {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly jobs: Jobs,
    private readonly limiter: RateLimiter,
    expiries: Expiries,
    erasures: Erasures,
  ) {
    expiries.add({ table: 'notifications', key: 'id', where: "created_at < now() - interval '90 days'" });
    erasures.addDataStep(rowsOfUser('notifications'));
  }

  /**
   * Keeps it for the user and, with the channel `email`, has it mailed to them. Not sent: by a channel that there is not, to an address
   * that was never confirmed, and beyond 20 mails an hour from one app to one user.
   *
   * @throws AppError 404 unless this is an active user of the tenant.
   */
  async send(request: AppNotification): Promise<NotificationSentResponse> {
    const { app_id, user_id, tenant_id } = request;
    const channel = CHANNELS[request.channel];
    const [user] = await new TenantData(this.dataSource.manager, tenant_id).query<{ is_verified: boolean }>(
      'SELECT email_verified_at IS NOT NULL AS is_verified FROM users WHERE tenant_id = $tenant AND id = $1 AND is_active',
      [user_id],
    );
    if (!user) throw userNotFound();
    const isMail = channel === 'email';
    if (!channel || (isMail && !(user.is_verified && (await this.mayMail(app_id, user_id))))) return { sent: false };
    await this.outbox.transaction(async (em) => {
      const id = await this.keep(em, request, channel);
      if (isMail) await this.jobs.enqueue(em, mailQueue, 'notification', { notification_id: id });
    });
    return { sent: true };
  }

  /** Keeps it, in the caller's transaction; nothing is mailed. Returns its id. */
  async keep(em: EntityManager, notification: KeptNotification, channel: NotificationChannel = 'in_app'): Promise<string> {
    const { app_id, user_id, tenant_id, message, priority = 'normal', subject = null, body = null } = notification;
    const id = newId('ntf');
    await new TenantData(em, tenant_id).query(
      `INSERT INTO notifications (id, user_id, tenant_id, app_id, channel, priority, subject, message, body)
       SELECT $1, id, $tenant, $3, $4, $5, $6, $7, $8 FROM users WHERE id = $2 AND erased_at IS NULL FOR KEY SHARE`,
      [id, user_id, app_id, channel, priority, subject, message, body],
    );
    return id;
  }

  /** The newest first. */
  async list({ userId, tenantId }: UserCaller, { limit, offset }: ListNotificationsQuery): Promise<NotificationsResponse> {
    const tenant = new TenantData(this.dataSource.manager, tenantId);
    const items = await tenant.query<NotificationResponse>(
      `SELECT id, app_id, message, channel, priority, subject, body, created_at FROM notifications
       WHERE tenant_id = $tenant AND user_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3`,
      [userId, limit, offset],
    );
    return { items };
  }

  private async mayMail(appId: string, userId: string): Promise<boolean> {
    return (await this.limiter.consume(APP_MAIL_LIMIT, `${appId}\n${userId}`)).allowed;
  }
}
