import { Injectable } from '@nestjs/common';
import type {
  WebhookDeliveriesQuery,
  WebhookDeliveriesResponse,
  WebhookDelivery,
  WebhookDeliveryDetail,
} from '@platform/contracts';
import { columns, Outbox, type RowOf } from '@platform/persistence';
import { DataSource } from 'typeorm';
import { StoredWebhookDelivery } from './stored-webhook-delivery.entity.js';
import { webhookEvent } from '../running/webhook-event.js';
import { WebhookErrors } from '../running/webhooks.errors.js';
import { WebhookInboxService } from './webhook-inbox.service.js';

const SHOWN_BODY_BYTES = 64 * 1024;

const COLUMNS = columns(StoredWebhookDelivery, [
  'id',
  'appId',
  'channel',
  'path',
  'method',
  'status',
  'attempts',
  'statusCode',
  'error',
  'receivedAt',
  'nextAttemptAt',
  'finishedAt',
]);
type Delivery = RowOf<typeof COLUMNS>;

const REQUEST = columns(StoredWebhookDelivery, ['url', 'headers']);
type DetailedDelivery = Delivery & RowOf<typeof REQUEST> & { body: Buffer; body_bytes: number };

/** Deliveries in the inboxes of apps, for their developers. */
@Injectable()
export class HostWebhookDeliveriesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly inbox: WebhookInboxService,
  ) {}

  /** Deliveries in the inbox of an app, newest first. */
  async listDeliveries(
    appId: string,
    { status, cursor, limit }: WebhookDeliveriesQuery,
  ): Promise<WebhookDeliveriesResponse> {
    const rows = await this.dataSource.query<Delivery[]>(
      `SELECT ${COLUMNS} FROM webhook_deliveries
       WHERE app_id = $1 ${status ? 'AND status = $4' : ''} AND ($2::text IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
      [appId, cursor ?? null, limit + 1, ...(status ? [status] : [])],
    );
    const items = rows.slice(0, limit).map(toDelivery);
    return { items, cursor: rows.length > limit ? (items.at(-1)?.delivery_id ?? null) : null };
  }

  /**
   * A delivery with its request. Its body is cut to the first 64 KiB.
   *
   * @throws AppError 404 `webhook_delivery.not_found` if the app has no such delivery.
   */
  async getDelivery(appId: string, id: string): Promise<WebhookDeliveryDetail> {
    const [row] = await this.dataSource.query<DetailedDelivery[]>(
      `SELECT ${COLUMNS}, ${REQUEST}, substring(body FOR ${SHOWN_BODY_BYTES}) AS body, octet_length(body) AS body_bytes
       FROM webhook_deliveries WHERE app_id = $1 AND id = $2`,
      [appId, id],
    );
    if (!row) throw WebhookErrors.deliveryNotFound();
    const { method, url, headers, body, body_bytes } = row;
    const event = webhookEvent({ method, url, rawHeaders: [], body });
    return Object.assign(toDelivery(row), {
      headers,
      query_params: event.query_params,
      body_bytes,
      body_base64: event.body_base64,
    });
  }

  /**
   * Makes a finished delivery pending again, and adds the job that handles it: with the version
   * that runs then, and as many attempts as a new delivery.
   *
   * @throws AppError 404 `webhook_delivery.not_found` if the app has no such delivery; 409
   * `webhook_delivery.not_finished` if it is still being tried.
   */
  async replayDelivery(appId: string, id: string): Promise<WebhookDelivery> {
    await this.getDelivery(appId, id);
    return this.outbox.transaction(async (em) => {
      const [[row]] = await em.query<[Delivery[], number]>(
        `UPDATE webhook_deliveries SET status = 'pending', finished_at = NULL, next_attempt_at = now(), job_id = $3
         WHERE app_id = $1 AND id = $2 AND status IN ('succeeded', 'dead') RETURNING ${COLUMNS}`,
        [appId, id, await this.inbox.enqueueDelivery(em, appId, id)],
      );
      if (!row) throw WebhookErrors.deliveryNotFinished();
      return toDelivery(row);
    });
  }
}

function toDelivery({
  id,
  app_id,
  channel,
  path,
  method,
  status,
  attempts,
  status_code,
  error,
  ...times
}: Delivery): WebhookDelivery {
  const { received_at, next_attempt_at, finished_at } = times;
  return {
    delivery_id: id,
    app_id,
    channel,
    path,
    method,
    status,
    attempts,
    status_code,
    error,
    received_at: received_at.toISOString(),
    next_attempt_at: next_attempt_at?.toISOString() ?? null,
    finished_at: finished_at?.toISOString() ?? null,
  };
}
