import { Injectable } from '@nestjs/common';
import type { ReplayEventsRequest, ReplayEventsResponse } from '@platform/contracts';
import { Outbox, TenantData } from '@platform/persistence';
import { DataSource, type EntityManager } from 'typeorm';
import { NewDeliveriesService } from './dispatch/new-deliveries.service.js';
import { WebhookEndpointErrors } from './model/webhook-endpoints.errors.js';
import { lockEnabledEndpoint } from './endpoint-checks.js';
import { findPositionAt } from './event-position-search.js';

const DAY_MS = 86_400_000;
/** Tolerance for clocks that differ, and for the duration of requests. */
const GRACE_MS = 60_000;
const MOST = 1_000;
/**
 * Most events of the platform, of any tenant, that one statement searches. A request runs up to
 * `STEPS` statements.
 */
const STEP = 10_000n;
const STEPS = 10;

/** Sends an endpoint the stored events that it has missed. */
@Injectable()
export class EventReplaysService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly deliveries: NewDeliveriesService,
  ) {}

  /**
   * Sends an endpoint the events of a period that it selects and has not received, also those from
   * before it was created or enabled. One call sends at most 1,000 events, and searches at most
   * 100,000 events of the whole platform; `cursor` says where the next call continues, and is null
   * at the end. Events for which 10,000 waiting deliveries leave no room are not sent.
   *
   * @throws AppError 404 `webhook_endpoint.not_found` for an unknown endpoint; 409
   * `webhook_endpoint.disabled` if it is disabled; 429 `webhook_endpoint.replaying` while another
   * replay of the tenant runs.
   * @throws ValidationFailed for a period that begins more than a day ago, or ends before it
   * begins.
   */
  async replayEvents(
    tenantId: string,
    endpointId: string,
    { since: from, until, cursor }: ReplayEventsRequest,
  ): Promise<ReplayEventsResponse> {
    const to = until ?? new Date();
    if (from.getTime() < Date.now() - DAY_MS - GRACE_MS)
      throw WebhookEndpointErrors.timesRefused('since', 'Only events of the last 24 hours can be sent again');
    if (to < from) throw WebhookEndpointErrors.timesRefused('until', 'Input should be after since');
    const first = await findPositionAt(this.dataSource, new Date(from.getTime() - GRACE_MS));
    const after = cursor && BigInt(cursor) > first ? BigInt(cursor) : first;
    const last = await findPositionAt(this.dataSource, new Date(to.getTime() + GRACE_MS));
    return this.outbox.transaction(async (em) => {
      await acquireReplayLock(em, tenantId);
      await lockEnabledEndpoint(new TenantData(em, tenantId), endpointId);
      return this.replayAfter(em, [after, last], { endpointId, since: from, until: to });
    });
  }

  private async replayAfter(
    em: EntityManager,
    [first, last]: [bigint, bigint],
    of: { endpointId: string; since: Date; until: Date },
  ): Promise<ReplayEventsResponse> {
    // Events after the cursor have no deliveries yet, and will get them. Events from before the
    // endpoint existed get none.
    const [{ position }] = await em.query<[{ position: string }]>(
      'SELECT greatest(c.position, w.from_position) AS position FROM webhook_endpoint_cursors c, webhook_endpoints w WHERE w.id = $1',
      [of.endpointId],
    );
    const end = last < BigInt(position) ? last : BigInt(position);
    let after = first;
    let replayed = 0;
    for (let step = 0; step < STEPS && after < end; step++) {
      const upTo = after + STEP < end ? after + STEP : end;
      const limit = MOST - replayed;
      const missed = await this.deliveries.findMissedEvents(em, [String(after), String(upTo)], { ...of, limit });
      replayed += await this.deliveries.restartDeliveries(
        em,
        of.endpointId,
        missed.flatMap(({ delivery_id }) => delivery_id ?? []),
      );
      replayed += await this.deliveries.createDeliveries(
        em,
        missed.filter(({ delivery_id }) => delivery_id === null),
      );
      const isCut = missed.length === limit;
      after = isCut ? BigInt(missed.at(-1)?.position ?? upTo) : upTo;
      if (isCut) break;
    }
    return { replayed, cursor: after < end ? String(after) : null };
  }
}

/**
 * Allows one replay at a time per tenant, until the transaction ends: a replay occupies a database
 * connection.
 *
 * @throws AppError 429 `webhook_endpoint.replaying` while another replay of the tenant runs.
 */
async function acquireReplayLock(em: EntityManager, tenantId: string): Promise<void> {
  const [turn] = await em.query<[{ is_taken: boolean }]>(
    "SELECT pg_try_advisory_xact_lock(hashtext('webhook replay'), hashtext($1)) AS is_taken",
    [tenantId],
  );
  if (!turn.is_taken) throw WebhookEndpointErrors.replaying();
}
