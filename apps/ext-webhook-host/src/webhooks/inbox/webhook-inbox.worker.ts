import { Inject, Injectable } from '@nestjs/common';
import { JobsService, type JobInfo } from '@platform/messaging';
import { columns, type Row, type RowOf } from '@platform/persistence';
import { BodyMemoryPool, LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { failureText } from '../../runs/failure-text.js';
import { WebhookErrors } from '../running/webhooks.errors.js';
import { isFound, WebhooksService } from '../running/webhooks.service.js';
import { StoredWebhookDelivery } from './stored-webhook-delivery.entity.js';
import { waitAfter, webhookInboxQueue } from './webhook-inbox.jobs.js';

/** Statuses below 500 after which a retry can succeed. */
const PASSING = new Set([408, 425, 429]);

const TAKEN = columns(StoredWebhookDelivery, [
  'appId',
  'channel',
  'path',
  'method',
  'url',
  'headers',
  'body',
  'receivedAt',
]);
type Taken = RowOf<typeof TAKEN>;

const MEBIBYTE = 1024 * 1024;
/**
 * Memory for deliveries that are being handled, in bytes of bodies and headers. A delivery of up to
 * `small` takes no room; no delivery takes more than `largest`.
 */
export const INBOX_ROOM = { small: MEBIBYTE / 4, largest: 11 * MEBIBYTE, total: 64 * MEBIBYTE, perApp: 24 * MEBIBYTE };

/** Outcome of an attempt. It succeeded if there is no `error`. */
interface Outcome {
  statusCode: number | null;
  error?: string;
  /** True if a retry would change nothing, because the handler has refused the request. */
  final?: boolean;
}

/**
 * Runs the webhooks of requests in an inbox, with the version of the app that runs at that time.
 */
@Injectable()
export class WebhookInboxWorker {
  /** Large deliveries are read when there is memory for them. */
  private readonly rooms = new BodyMemoryPool(
    { ...INBOX_ROOM, perSender: INBOX_ROOM.total, perSenderToApp: INBOX_ROOM.perApp },
    INBOX_ROOM.largest,
  );

  constructor(
    private readonly dataSource: DataSource,
    private readonly webhooks: WebhooksService,
    @Inject(LOGGER) private readonly logger: Logger,
    jobs: JobsService,
  ) {
    jobs.registerHandlers(webhookInboxQueue, {
      deliver: ({ delivery_id: id, app_id }, job) => this.withRoom(app_id, id, () => this.deliver(id, job)),
    });
  }

  private async withRoom(appId: string, id: string, work: () => Promise<void>): Promise<void> {
    const [delivery] = await this.dataSource.query<Row<StoredWebhookDelivery, 'bytes'>[]>(
      'SELECT bytes FROM webhook_deliveries WHERE id = $1',
      [id],
    );
    if (!delivery) return;
    if (delivery.bytes <= INBOX_ROOM.small) return work();
    const room = this.rooms.openBody(appId, '');
    try {
      await new Promise<void>((resolve) => {
        if (room.reserve(Math.min(delivery.bytes, INBOX_ROOM.largest), resolve)) resolve();
      });
      await work();
    } finally {
      room.release();
    }
  }

  private async deliver(id: string, { id: jobId, attempt }: JobInfo): Promise<void> {
    // A process that died leaves its delivery `running`.
    const [[taken]] = await this.dataSource.query<[Taken[], number]>(
      `UPDATE webhook_deliveries SET status = 'running', attempts = attempts + 1, next_attempt_at = NULL
       WHERE id = $1 AND job_id = $2 AND status IN ('pending', 'running')
       RETURNING ${TAKEN}`,
      [id, jobId],
    );
    if (!taken) return;
    const { statusCode, error = null, final } = await this.attempt(taken);
    const isLast = final ?? attempt >= webhookInboxQueue.attempts;
    const status = error === null ? 'succeeded' : isLast ? 'dead' : 'pending';
    await this.dataSource.query(
      `UPDATE webhook_deliveries SET status = $3, status_code = $4, error = $5,
         finished_at = CASE WHEN $3 = 'pending' THEN NULL ELSE now() END,
         next_attempt_at = CASE WHEN $3 = 'pending' THEN now() + make_interval(secs => $6) END
       WHERE id = $1 AND job_id = $2 AND status = 'running'`,
      [id, jobId, status, statusCode, error, waitAfter(attempt) / 1_000],
    );
    if (status === 'pending') throw new Error(`The delivery ${id} failed and will be tried again.`);
  }

  private async attempt({
    app_id: appId,
    channel,
    path,
    method,
    url,
    headers,
    body,
    received_at: receivedAt,
  }: Taken): Promise<Outcome> {
    try {
      const found = await this.webhooks.findWebhook({ appId, channel, method, path });
      if (!isFound(found)) throw WebhookErrors.methodNotAllowed(found.allow);
      const { status } = await this.webhooks.runWebhook(found, {
        method,
        url,
        rawHeaders: Object.entries(headers).flat(),
        body,
        receivedAt,
      });
      if (status < 400) return { statusCode: status };
      return {
        statusCode: status,
        error: `The handler answered ${status}.`,
        final: (status < 500 && !PASSING.has(status)) || undefined,
      };
    } catch (error) {
      return { statusCode: null, error: failureText(error, this.logger, { app_id: appId, path }) };
    }
  }
}
