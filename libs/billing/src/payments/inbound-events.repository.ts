import { Injectable } from '@nestjs/common';
import type { ExpiredRows } from '@platform/persistence';
import { DataSource, type EntityManager } from 'typeorm';
import type { ProviderEvent } from './payment-provider.js';

const PROVIDER = 'stripe';

/**
 * Handled events older than 90 days. Stripe resends an event for three days and keeps it for 30. An
 * event that was not handled is kept and retried for ever.
 */
export const OLD_EVENTS: ExpiredRows = {
  table: 'inbound_events',
  key: 'provider, event_id',
  where: "received_at < now() - interval '90 days' AND handled_at IS NOT NULL",
};

/** Most events in one batch of the sweep. */
export const OPEN_EVENT_BATCH = 50;

/**
 * SQL condition: the sweep should try the event. Its job has retried it for about 23 minutes. After
 * that the sweep retries it, at growing intervals.
 */
const IS_DUE = "handled_at IS NULL AND checked_at < now() - greatest(interval '30 minutes', (now() - received_at) / 8)";

/** Received events of the provider. */
@Injectable()
export class InboundEventsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Stores events that are not stored yet. If an event arrives several times at once, in one list
   * or in several, only one of them is new. `hasHandler`: true if the gateway has a handler for the
   * type; any other event is stored as handled.
   *
   * @returns the ids of the new events.
   */
  async addEvents(
    em: EntityManager,
    events: readonly (ProviderEvent & { hasHandler: boolean })[],
  ): Promise<Set<string>> {
    // The same order in every transaction, so that two lists with the same events wait for each
    // other instead of deadlocking.
    const sorted = [...events].sort((one, other) => (one.id < other.id ? -1 : 1));
    const added = await em.query<{ event_id: string }[]>(
      `INSERT INTO inbound_events (provider, event_id, type, object_id, intent_id, handled_at)
       SELECT $1, id, type, object_id, intent_id, CASE WHEN has_handler THEN NULL ELSE now() END
       FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::boolean[]) AS event (id, type, object_id, intent_id, has_handler)
       ON CONFLICT DO NOTHING RETURNING event_id`,
      [
        PROVIDER,
        sorted.map(({ id }) => id),
        sorted.map(({ type }) => type),
        sorted.map(({ objectId }) => objectId),
        sorted.map(({ intentId }) => intentId),
        sorted.map(({ hasHandler }) => hasHandler),
      ],
    );
    return new Set(added.map(({ event_id }) => event_id));
  }

  /** Finds an event that is not handled; null if it was handled or never arrived. */
  async findOpenEvent(id: string): Promise<ProviderEvent | null> {
    const [event] = await this.dataSource.query<ProviderEvent[]>(
      `SELECT event_id AS id, type, object_id AS "objectId", intent_id AS "intentId" FROM inbound_events
       WHERE provider = $1 AND event_id = $2 AND handled_at IS NULL`,
      [PROVIDER, id],
    );
    return event ?? null;
  }

  /** Ids of up to 1,000 events that are not handled, oldest first. */
  async listOpenIds(): Promise<string[]> {
    const rows = await this.dataSource.query<{ event_id: string }[]>(
      'SELECT event_id FROM inbound_events WHERE provider = $1 AND handled_at IS NULL ORDER BY received_at LIMIT 1000',
      [PROVIDER],
    );
    return rows.map(({ event_id }) => event_id);
  }

  /**
   * Takes up to `OPEN_EVENT_BATCH` due events that no job retries any more, and returns their ids.
   * They become due again later, after at least 30 minutes.
   */
  async claimDueIds(): Promise<string[]> {
    const [due] = await this.dataSource.query<[{ event_id: string }[], number]>(
      `UPDATE inbound_events e SET checked_at = now() FROM (
         SELECT event_id FROM inbound_events WHERE provider = $1 AND ${IS_DUE} ORDER BY checked_at, event_id LIMIT ${OPEN_EVENT_BATCH} FOR UPDATE SKIP LOCKED
       ) AS due WHERE e.provider = $1 AND e.event_id = due.event_id RETURNING e.event_id`,
      [PROVIDER],
    );
    return due.map(({ event_id }) => event_id);
  }

  /** Makes events of `claimDueIds` that were not tried due again immediately. */
  async releaseUntried(ids: readonly string[]): Promise<void> {
    await this.dataSource.query(
      'UPDATE inbound_events SET checked_at = received_at WHERE provider = $1 AND event_id = ANY ($2)',
      [PROVIDER, ids],
    );
  }

  async markHandled(id: string): Promise<void> {
    await this.dataSource.query('UPDATE inbound_events SET handled_at = now() WHERE provider = $1 AND event_id = $2', [
      PROVIDER,
      id,
    ]);
  }

  /** Age of the oldest event that is not handled, in seconds; 0 without one. */
  async getOldestOpenAge(): Promise<number> {
    const [row] = await this.dataSource.query<[{ age: string }]>(
      'SELECT coalesce(extract(epoch FROM now() - min(received_at)), 0) AS age FROM inbound_events WHERE handled_at IS NULL',
    );
    return Number(row.age);
  }
}
