import { Inject, Injectable } from '@nestjs/common';
import { JobsService, Postponed } from '@platform/messaging';
import { Outbox } from '@platform/persistence';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '../../../../config.js';
import { sealedPreviousSecrets, sealedSecrets } from '../model/endpoint-secrets.js';
import { bodyOf, messageIdOf, POSTED_COLUMNS, type PostedRow } from '../model/webhook-endpoint-response.js';
import { failPendingDelivery } from '../model/pending-deliveries.js';
import { EndpointDisablingService } from './endpoint-disabling.service.js';
import { getRetryWaitMs } from './retry-schedule.js';
import { webhookDeliveryQueue, type DeliverJob } from './webhook-deliveries.jobs.js';
import { WebhookClient, type Outcome } from './webhook.client.js';

/**
 * Longer than an attempt takes. If a process stops during an attempt, another one takes over after
 * this time.
 */
const LEASE = "interval '1 minute'";
/**
 * SQL: true if the delivery still has the lease `$2` of this process. The result of an attempt that
 * outlived its lease is dropped, because another process may have begun an attempt.
 */
const IS_LEASED = "status = 'pending' AND leased_until = $2::timestamptz";
const SHORTEST_WAIT_MS = 1_000;

type ClaimedRow = PostedRow & {
  endpoint_id: string;
  attempts: number;
  /**
   * Text of the database, because a `Date` has no microseconds. This process has the delivery while
   * the row has the same value.
   */
  leased_until: string;
  url: string;
  sealed_secret: string;
  /** Null if no previous secret signs any more. */
  sealed_previous_secret: string | null;
};

/** Posts one delivery, records the result, and plans the next attempt. */
@Injectable()
export class WebhookDeliveriesWorker {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly sender: WebhookClient,
    private readonly ends: EndpointDisablingService,
    @Inject(CONFIG) private readonly config: Config,
    jobs: JobsService,
  ) {
    jobs.registerHandlers(webhookDeliveryQueue, { deliver: (job) => this.deliver(job) });
  }

  private async deliver(job: DeliverJob): Promise<void> {
    const claimed = await this.claim(job);
    if (!claimed) return this.postponeOrFail(job);
    const outcome = await this.sender.postMessage({
      id: messageIdOf(claimed),
      body: JSON.stringify(bodyOf(claimed)),
      url: claimed.url,
      secrets: this.secretsOf(claimed),
    });
    if (outcome.error === null && (await this.recordDelivered(claimed, outcome))) return;
    if (outcome.error !== null) await this.recordFailure(claimed, outcome);
    return this.postponeOrFail(job);
  }

  /**
   * Claims the delivery for one minute, and returns it. Only one of several concurrent claims
   * succeeds. Null for the others, before the delivery is due, for a finished delivery or another
   * round, and if the endpoint is disabled or its tenant is not active.
   */
  private async claim({ delivery_id, round }: DeliverJob): Promise<ClaimedRow | null> {
    const [[row]] = await this.dataSource.query<[ClaimedRow[], number]>(
      `UPDATE webhook_endpoint_deliveries d SET leased_until = now() + ${LEASE}
       FROM webhook_endpoints e JOIN tenants t ON t.id = e.tenant_id AND t.is_active
       WHERE d.id = $1 AND d.round = $2 AND e.id = d.endpoint_id AND d.status = 'pending' AND e.status = 'enabled'
         AND d.next_attempt_at <= now() AND (d.leased_until IS NULL OR d.leased_until <= now())
       RETURNING ${POSTED_COLUMNS}, d.endpoint_id, d.attempts, d.leased_until::text AS leased_until, e.url, e.sealed_secret,
         CASE WHEN e.previous_secret_until > now() THEN e.sealed_previous_secret END AS sealed_previous_secret`,
      [delivery_id, round],
    );
    return row ?? null;
  }

  /**
   * Plans the next run of the job. Returns, and plans none, if the delivery is finished, or if a
   * replay began another round. Fails the delivery if its endpoint is disabled or its tenant is not
   * active.
   *
   * @throws Postponed while another process has the delivery, and before it is due.
   */
  private async postponeOrFail({ delivery_id: id, round }: DeliverJob): Promise<void> {
    const [row] = await this.dataSource.query<{ wait_ms: number; is_reached: boolean }[]>(
      `SELECT (extract(epoch FROM greatest(d.next_attempt_at, d.leased_until) - now()) * 1000)::float8 AS wait_ms, e.status = 'enabled' AND t.is_active AS is_reached
       FROM webhook_endpoint_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id JOIN tenants t ON t.id = e.tenant_id
       WHERE d.id = $1 AND d.round = $2 AND d.status = 'pending'`,
      [id, round],
    );
    if (!row) return;
    if (row.is_reached)
      throw new Postponed('the delivery is not due', Math.max(SHORTEST_WAIT_MS, Math.ceil(row.wait_ms)));
    await failPendingDelivery(this.dataSource.manager, id);
  }

  private secretsOf({ endpoint_id: id, sealed_secret, sealed_previous_secret }: ClaimedRow): string[] {
    const secrets = [sealedSecrets(this.config.SECRET_KEYS).open(id, sealed_secret)];
    if (sealed_previous_secret !== null)
      secrets.push(sealedPreviousSecrets(this.config.SECRET_KEYS).open(id, sealed_previous_secret));
    return secrets;
  }

  /**
   * Records that the message arrived, so the endpoint no longer counts as failing. False, and
   * nothing is recorded, if the lease was over: only the result of the other process counts.
   */
  private async recordDelivered(
    { id, endpoint_id, leased_until }: ClaimedRow,
    { statusCode }: Outcome,
  ): Promise<boolean> {
    const [[row]] = await this.dataSource.query<[{ id: string }[], number]>(
      `UPDATE webhook_endpoint_deliveries SET status = 'delivered', attempts = attempts + 1, last_status_code = $3, last_error = NULL,
         next_attempt_at = NULL, leased_until = NULL, finished_at = now()
       WHERE id = $1 AND ${IS_LEASED} RETURNING id`,
      [id, leased_until, statusCode],
    );
    if (!row) return false;
    await this.dataSource.query(
      'UPDATE webhook_endpoints SET failing_since = NULL WHERE id = $1 AND failing_since IS NOT NULL',
      [endpoint_id],
    );
    return true;
  }

  /**
   * Records a failed attempt and the time of the next one. After the last attempt, and after the
   * answer 410, the delivery has failed, and the endpoint is disabled if `disableIfDue` says so.
   * Marks the endpoint as failing from now on, unless it is marked already. Records nothing if the
   * lease was over.
   */
  private recordFailure(
    { id, endpoint_id, attempts, leased_until, url }: ClaimedRow,
    { error, statusCode, retryAfterMs }: Outcome,
  ): Promise<void> {
    const waitMs = error === 'gone' ? null : getRetryWaitMs(attempts + 1, retryAfterMs);
    return this.outbox.transaction(async (em) => {
      // Locks the endpoint first, in the same order as the code that disables endpoints, so that no
      // deadlock arises.
      if (waitMs === null)
        await em.query('SELECT FROM webhook_endpoints WHERE id = $1 FOR NO KEY UPDATE', [endpoint_id]);
      await em.query(
        `UPDATE webhook_endpoints SET failing_since = now() WHERE id = $3 AND status = 'enabled' AND failing_since IS NULL AND url = $4
           AND EXISTS (SELECT FROM webhook_endpoint_deliveries WHERE id = $1 AND ${IS_LEASED})`,
        [id, leased_until, endpoint_id, url],
      );
      const [[row]] = await em.query<[{ id: string }[], number]>(
        `UPDATE webhook_endpoint_deliveries SET attempts = attempts + 1, last_status_code = $3, last_error = $4, leased_until = NULL,
           status = CASE WHEN $5::float8 IS NULL THEN 'failed' ELSE 'pending' END,
           next_attempt_at = now() + $5::float8 * interval '1 millisecond',
           finished_at = CASE WHEN $5::float8 IS NULL THEN now() END
         WHERE id = $1 AND ${IS_LEASED} RETURNING id`,
        [id, leased_until, statusCode, error, waitMs],
      );
      if (row && waitMs === null)
        await this.ends.disableIfDue(em, { id: endpoint_id, url }, error === 'gone' ? 'gone' : 'failures');
    });
  }
}
