import { Injectable } from '@nestjs/common';
import type {
  WebhookDeliveriesQuery,
  WebhookDeliveriesResponse,
  WebhookDelivery,
  WebhookDeliveryDetail,
} from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { DataSource } from 'typeorm';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { ExtensionHostClient } from '../../kernel/peers/extension-host/extension-host.client.js';
import { forwardHostErrors } from '../../kernel/peers/extension-host/host-errors.js';
import { assertOwnApp } from './own-app.js';

/**
 * Requests that webhooks of an app received and stored before handling them (webhooks with an
 * inbox). Every method throws AppError 404 `app.not_found` for an app of another developer, and 503
 * if the host is unreachable.
 */
@Injectable()
export class WebhookDeliveriesService {
  constructor(
    private readonly host: ExtensionHostClient,
    private readonly dataSource: DataSource,
  ) {}

  async listWebhookDeliveries(
    user: UserCaller,
    appId: string,
    query: WebhookDeliveriesQuery,
  ): Promise<WebhookDeliveriesResponse> {
    await assertOwnApp(this.dataSource, user, appId);
    const { items, cursor } = await forwardHostErrors(this.host.listWebhookDeliveries(appId, query));
    return { items: items.map(toDelivery), cursor };
  }

  /**
   * Returns a delivery to a webhook of the caller's app, with the original request.
   *
   * @throws AppError 404 `app.not_found` if there is no such app or it belongs to another
   * developer, `webhook_delivery.not_found`; 503 if the host is unreachable.
   */
  async getWebhookDelivery(user: UserCaller, appId: string, deliveryId: string): Promise<WebhookDeliveryDetail> {
    await assertOwnApp(this.dataSource, user, appId);
    const delivery = await forwardHostErrors(this.host.getWebhookDelivery(appId, deliveryId));
    const { headers, query_params, body_bytes, body_base64 } = delivery;
    return { ...toDelivery(delivery), headers, query_params, body_bytes, body_base64 };
  }

  /**
   * Handles the request of a delivery to the caller's app again. Returns before its handler has
   * run.
   *
   * @throws AppError 404 `app.not_found` if there is no such app or it belongs to another
   * developer, `webhook_delivery.not_found`; 409 `webhook_delivery.not_finished` while it is being
   * handled; 503 if the host is unreachable.
   */
  async replayWebhookDelivery(user: UserCaller, appId: string, deliveryId: string): Promise<WebhookDelivery> {
    await assertOwnApp(this.dataSource, user, appId);
    const delivery = toDelivery(await forwardHostErrors(this.host.replayWebhookDelivery(appId, deliveryId)));
    await recordAudit(this.dataSource.manager, {
      action: 'webhook_delivery.replayed',
      target: { type: 'app', id: appId },
      tenantId: user.tenantId,
      metadata: { delivery_id: deliveryId, path: delivery.path },
    });
    return delivery;
  }
}

const toDelivery = (delivery: WebhookDelivery) => ({
  delivery_id: delivery.delivery_id,
  app_id: delivery.app_id,
  channel: delivery.channel,
  path: delivery.path,
  method: delivery.method,
  status: delivery.status,
  attempts: delivery.attempts,
  status_code: delivery.status_code,
  error: delivery.error,
  received_at: delivery.received_at,
  next_attempt_at: delivery.next_attempt_at,
  finished_at: delivery.finished_at,
});
