import { Inject, Injectable } from '@nestjs/common';
import { JobsService } from '@platform/messaging';
import { columns, type RowOf } from '@platform/persistence';
import { DataSource, type EntityManager } from 'typeorm';
import { CONFIG, type Config } from '../../../../config.js';
import { FeatureMailsRegistry } from '../../../../identity/mail/feature-mails.registry.js';
import { mailQueue } from '../../../../identity/mail/mail.jobs.js';
import type { Mail } from '../../../../identity/mail/mailer.service.js';
import { recordAudit } from '../../../../kernel/audit/record-audit.js';
import { publishEvent } from '../../../../kernel/events/publish-event.js';
import { UserNotificationsService } from '../../../notifications/user-notifications.service.js';
import { failPendingDeliveries } from '../model/pending-deliveries.js';
import { WebhookEndpointEntity } from '../model/webhook-endpoint.entity.js';
import {
  disabledMail,
  describeDisabledReason,
  type DisabledEndpoint,
  type GivenUpReason,
} from './endpoint-mail-text.js';

const MAIL = 'webhook-endpoint-disabled';
const GIVEN_UP_AFTER = "interval '3 days'";
/**
 * Shortest time between two notices about one endpoint. It limits them if the endpoint is enabled
 * again and again while its URL does not work.
 */
const NOTICE_INTERVAL = "interval '1 day'";
const COLUMNS = columns(WebhookEndpointEntity, ['id', 'tenantId', 'url', 'createdBy']);

/** Disables endpoints that no event reaches, and tells their creators, at most once a day. */
@Injectable()
export class EndpointDisablingService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly jobs: JobsService,
    private readonly notifications: UserNotificationsService,
    @Inject(CONFIG) private readonly config: Config,
    mails: FeatureMailsRegistry,
  ) {
    mails.registerWriter(MAIL, (id) => this.composeMail(id));
  }

  /**
   * Disables an endpoint after a delivery failed for good: for `gone` at once, for `failures` only
   * if no event has arrived for three days. Its waiting deliveries fail, and its creator is told,
   * at most once a day. Does nothing if the endpoint is disabled already or has another URL now.
   * Runs in the caller's transaction; of several concurrent calls, one disables the endpoint.
   */
  async disableIfDue(
    em: EntityManager,
    { id: endpointId, url }: { id: string; url: string },
    reason: GivenUpReason,
  ): Promise<void> {
    const [[endpoint]] = await em.query<[(RowOf<typeof COLUMNS> & { is_to_be_told: boolean })[], number]>(
      `UPDATE webhook_endpoints SET status = 'disabled', disabled_reason = $2, updated_at = now(),
         told_at = CASE WHEN told_at > now() - ${NOTICE_INTERVAL} THEN told_at ELSE now() END
       WHERE id = $1 AND status = 'enabled' AND url = $3 AND ($2 = 'gone' OR failing_since <= now() - ${GIVEN_UP_AFTER})
       RETURNING ${COLUMNS}, told_at = now() AS is_to_be_told`,
      [endpointId, reason, url],
    );
    if (!endpoint) return;
    const { tenant_id: tenantId, created_by: creator } = endpoint;
    await failPendingDeliveries(em, endpointId);
    await recordAudit(em, {
      action: 'webhook_endpoint.disabled',
      target: { type: 'webhook_endpoint', id: endpointId },
      tenantId,
      after: { status: 'disabled', disabled_reason: reason },
    });
    const data = { endpoint_id: endpointId, reason };
    await publishEvent(em, { type: 'webhook_endpoint.disabled', tenantId, userId: null, data });
    if (creator === null || !endpoint.is_to_be_told) return;
    await this.jobs.enqueue(em, mailQueue, 'feature', { kind: MAIL, id: endpointId });
    await this.notifications.storeNotification(em, {
      app_id: 'webhooks',
      user_id: creator,
      tenant_id: tenantId,
      subject: 'A webhook endpoint was disabled',
      message: describeDisabledReason({ host: new URL(url).host, reason }),
    });
  }

  /**
   * Returns the mail that tells the creator of an endpoint that it was disabled. Null if the
   * endpoint was enabled again or disabled by a person, and if its creator cannot receive mail.
   */
  private async composeMail(id: string): Promise<Mail | null> {
    const [row] = await this.dataSource.query<(DisabledEndpoint & { url: string })[]>(
      `SELECT u.email, u.first_name AS "firstName", e.url, e.disabled_reason AS reason
       FROM webhook_endpoints e JOIN users u ON u.id = e.created_by AND u.is_active
       WHERE e.id = $1 AND e.disabled_reason <> 'by_hand'`,
      [id],
    );
    return row ? disabledMail({ ...row, host: new URL(row.url).host }, `${this.config.PANEL_URL}/webhooks`) : null;
  }
}
