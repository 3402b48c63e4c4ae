import { Injectable } from '@nestjs/common';
import { channelOf } from '@platform/contracts';
import { JobsService } from '@platform/messaging';
import { RetentionService, Outbox, SWEEP_BATCH } from '@platform/persistence';
import { newId } from '@platform/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { webhookHeaders, type WebhookRequest } from '../running/webhook-event.js';
import { WebhookErrors } from '../running/webhooks.errors.js';
import type { FoundWebhook } from '../running/webhooks.service.js';
import { StoredWebhookDelivery } from './stored-webhook-delivery.entity.js';
import { webhookInboxQueue } from './webhook-inbox.jobs.js';

const MEBIBYTE = 1024 * 1024;
/** Limits of one app. */
export const INBOX_LIMITS = { deliveries: 10_000, bytes: 256 * MEBIBYTE };
const RETENTION = '7 days';

/** Stores requests to webhooks for the jobs that handle them, within limits. */
@Injectable()
export class WebhookInboxService {
  limits = INBOX_LIMITS;

  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly jobs: JobsService,
    retention: RetentionService,
  ) {
    retention.registerPreparation(() => this.failLostDeliveries());
    retention.registerExpiredRows(() => this.deleteOldDeliveries());
  }

  /**
   * Stores a request to a webhook. Returns the id of the delivery, which will be handled from now
   * on even if this process dies. If there is no room, the oldest finished deliveries of the app
   * are deleted first: 100, or more if their room is needed.
   *
   * @throws AppError 503 `webhook.inbox_full` if unfinished deliveries take all room of the app:
   * 10,000 deliveries, or 256 MiB.
   */
  async acceptRequest(
    { app, webhook }: FoundWebhook,
    { method, url, rawHeaders, body }: WebhookRequest,
  ): Promise<string> {
    const headers = webhookHeaders(rawHeaders);
    const id = newId('dlv');
    const bytes = body.length + Buffer.byteLength(url) + Buffer.byteLength(JSON.stringify(headers));
    const { path } = webhook.definition;
    const delivery = { id, appId: app.app_id, channel: channelOf(app), path, method, url, headers, body, bytes };
    if (await this.store(delivery)) return id;
    await this.makeRoom(app.app_id, bytes);
    if (await this.store(delivery)) return id;
    throw WebhookErrors.inboxFull();
  }

  /**
   * Adds the job of a delivery, in the transaction that makes the delivery pending. Returns the id
   * of the job.
   */
  enqueueDelivery(em: EntityManager, appId: string, deliveryId: string): Promise<string> {
    return this.jobs.enqueue(em, webhookInboxQueue, 'deliver', { delivery_id: deliveryId, app_id: appId });
  }

  /** Deletes a batch of deliveries that finished more than 7 days ago. Returns how many. */
  deleteOldDeliveries(): Promise<number> {
    return this.remove(`finished_at < now() - interval '${RETENTION}' ORDER BY finished_at LIMIT ${SWEEP_BATCH}`, []);
  }

  /**
   * Marks unfinished deliveries as dead if their job has failed for good or is no longer in the
   * outbox.
   */
  async failLostDeliveries(): Promise<void> {
    await this.dataSource.query(
      `UPDATE webhook_deliveries SET status = 'dead', finished_at = now(), next_attempt_at = NULL, error = coalesce(error, 'Its job was lost.')
       WHERE finished_at IS NULL AND NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.id = job_id AND failed_at IS NULL)`,
    );
  }

  /**
   * Stores a delivery with its job. Returns false, and stores nothing, if the inbox has no room for
   * it.
   */
  private async store(
    delivery: Pick<StoredWebhookDelivery, 'id' | 'appId' | 'bytes'> & Partial<StoredWebhookDelivery>,
  ): Promise<boolean> {
    const { id, appId, bytes } = delivery;
    const { limits } = this;
    if (bytes > limits.bytes) return false;
    try {
      await this.outbox.transaction(async (em) => {
        const jobId = await this.enqueueDelivery(em, appId, id);
        await em.insert(StoredWebhookDelivery, { ...delivery, jobId });
        // Last, because requests to the same app wait for each other from here on.
        const room = await em.query<unknown[]>(
          `INSERT INTO webhook_inboxes AS inbox (app_id, deliveries, bytes) VALUES ($1, 1, $2)
           ON CONFLICT (app_id) DO UPDATE SET deliveries = inbox.deliveries + 1, bytes = inbox.bytes + excluded.bytes
             WHERE inbox.deliveries < $3 AND inbox.bytes + excluded.bytes <= $4
           RETURNING app_id`,
          [appId, bytes, limits.deliveries, limits.bytes],
        );
        if (!room.length) throw new NoRoom();
      });
      return true;
    } catch (error) {
      if (error instanceof NoRoom) return false;
      throw error;
    }
  }

  /**
   * Deletes the oldest finished deliveries of an app: 100, or more until there is room for `bytes`.
   * So not every request must delete some.
   */
  private async makeRoom(appId: string, bytes: number): Promise<void> {
    await this.remove(
      `id IN (
         SELECT id FROM (
           SELECT id, sum(bytes) OVER (ORDER BY id) - bytes AS before, row_number() OVER (ORDER BY id) AS nth
           FROM webhook_deliveries WHERE app_id = $1 AND status IN ('succeeded', 'dead')
         ) AS finished WHERE nth <= 100 OR before < $2)`,
      [appId, bytes],
    );
  }

  private async remove(which: string, parameters: unknown[]): Promise<number> {
    const [removed] = await this.dataSource.query<[{ deliveries: number }[], number]>(
      `WITH removed AS (
         DELETE FROM webhook_deliveries WHERE id IN (SELECT id FROM webhook_deliveries WHERE ${which} FOR UPDATE SKIP LOCKED)
           AND status IN ('succeeded', 'dead')
         RETURNING app_id, bytes
       ), counted AS (SELECT app_id, count(*)::int AS deliveries, sum(bytes) AS bytes FROM removed GROUP BY app_id)
       UPDATE webhook_inboxes SET deliveries = webhook_inboxes.deliveries - counted.deliveries, bytes = webhook_inboxes.bytes - counted.bytes
       FROM counted WHERE webhook_inboxes.app_id = counted.app_id RETURNING counted.deliveries`,
      parameters,
    );
    return removed.reduce((sum, { deliveries }) => sum + deliveries, 0);
  }
}

class NoRoom extends Error {}
