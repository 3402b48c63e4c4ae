import { Injectable } from '@nestjs/common';
import { assertEvent, DEFAULT_RETENTION_SECONDS, StoreErrors } from '@platform/extension-sdk/runtime';
import { deleteExpired, RetentionService, queryPrepared } from '@platform/persistence';
import { derivedUuid, newUuid } from '@platform/platform';
import { DataSource } from 'typeorm';
import type { AppScope } from './documents.js';

/** Identity of a run, and its longest duration. */
export interface EventRun extends AppScope {
  runId: string;
  maxSeconds: number;
  /**
   * Delivery of which the run is an attempt. An attempt begins only after the previous one has
   * ended, or its process has died. Null if unknown.
   */
  delivery: string | null;
}

/**
 * `taken`: by this call, for the run. `done`: finished before, or already taken by this run.
 * `running`: another run has it now.
 */
export type EventClaim = { outcome: 'taken'; workId: string } | { outcome: 'done' } | { outcome: 'running' };

/**
 * Remembers the external events that an app has finished. A run takes an event up and, when it
 * ends, reports if it has finished it. The sender's next attempt can take the event after a failed
 * run. After a killed run it can do so when the longest duration is over; the next attempt of the
 * same delivery can do so at once. All attempts up to the successful one have the same `workId`.
 */
@Injectable()
export class ProcessedEventsRepository {
  constructor(
    private readonly dataSource: DataSource,
    retention: RetentionService,
  ) {
    retention.registerExpiredRows(() => this.deleteExpiredEvents());
  }

  async claimEvent({ tenantId, appId, runId, maxSeconds, delivery }: EventRun, eventId: string): Promise<EventClaim> {
    const key = [tenantId, appId, eventId, runId];
    const [taken] = await queryPrepared<{ work_id: string }>(
      this.dataSource,
      `INSERT INTO processed_events AS known (tenant_id, app_id, event_id, run_id, expires_at, work_id, delivery)
       VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5), $6, $7)
       ON CONFLICT (tenant_id, app_id, event_id)
         DO UPDATE SET run_id = excluded.run_id, done = false, expires_at = excluded.expires_at, delivery = excluded.delivery,
           work_id = CASE WHEN known.done THEN excluded.work_id ELSE known.work_id END
         WHERE known.expires_at <= now() OR (NOT known.done AND known.delivery = excluded.delivery AND known.run_id <> excluded.run_id)
       RETURNING work_id`,
      [...key, maxSeconds, newUuid(), delivery],
    );
    if (taken) return { outcome: 'taken', workId: taken.work_id };
    const [known] = await queryPrepared<{ is_done: boolean }>(
      this.dataSource,
      'SELECT done OR run_id = $4 AS is_done FROM processed_events WHERE tenant_id = $1 AND app_id = $2 AND event_id = $3',
      key,
    );
    // The event was given back a moment ago, and the sender will try again.
    return { outcome: known?.is_done ? 'done' : 'running' };
  }

  /** Marks events as done for the given seconds, if the run still holds them. */
  async markDone({ tenantId, appId, runId }: EventRun, events: ReadonlyMap<string, number>): Promise<void> {
    await queryPrepared(
      this.dataSource,
      `UPDATE processed_events SET done = true, expires_at = now() + make_interval(secs => taken.seconds)
       FROM unnest($4::text[], $5::int[]) AS taken (event_id, seconds)
       WHERE tenant_id = $1 AND app_id = $2 AND processed_events.event_id = taken.event_id AND run_id = $3`,
      [tenantId, appId, runId, [...events.keys()], [...events.values()]],
    );
  }

  /**
   * Gives back the events that a run has taken up, so that the next attempt can take them at once,
   * with the same `workId`. Events that are done stay done.
   */
  async releaseEvents({ tenantId, appId, runId }: EventRun, events: Iterable<string>): Promise<void> {
    await queryPrepared(
      this.dataSource,
      `UPDATE processed_events SET expires_at = now()
       WHERE tenant_id = $1 AND app_id = $2 AND run_id = $3 AND event_id = ANY ($4::text[]) AND NOT done`,
      [tenantId, appId, runId, [...events]],
    );
  }

  /**
   * Deletes a batch of events that are done and whose retention is over, and of events that are not
   * done and expired a day ago. Returns how many.
   */
  deleteExpiredEvents(): Promise<number> {
    return deleteExpired(this.dataSource, {
      table: 'processed_events',
      key: 'tenant_id, app_id, event_id',
      where: "expires_at <= now() AND (done OR expires_at <= now() - interval '1 day')",
    });
  }
}

/** The member `ctx.once` of one run. */
export class OnceEvents {
  private readonly taken = new Map<string, number>();
  /**
   * The event that was taken up last, and the number of ids of each kind that were derived since.
   */
  private work: { id: string; made: Map<string, number> } | null = null;

  constructor(
    private readonly events: ProcessedEventsRepository,
    private readonly run: EventRun,
  ) {}

  /**
   * Returns true if this run must handle the event; false if it is done, or this run has already
   * taken it up: it should then be answered with success. It counts as done when the run succeeds
   * (a webhook: with a status below 400), and is remembered for `retentionSeconds` (a minute to 30
   * days; 7 days by default).
   *
   * @throws ExtensionError EVENT_IN_PROGRESS while another run handles it; the sender should try
   * again. EVENT_ID_INVALID, EVENT_RETENTION_INVALID if a parameter is not allowed.
   */
  async once(eventId: string, retentionSeconds = DEFAULT_RETENTION_SECONDS): Promise<boolean> {
    assertEvent(eventId, retentionSeconds);
    const takenUp = await this.events.claimEvent(this.run, eventId);
    if (takenUp.outcome === 'running') throw StoreErrors.eventInProgress();
    if (takenUp.outcome !== 'taken') return false;
    this.taken.set(eventId, Math.floor(retentionSeconds));
    this.work = { id: takenUp.workId, made: new Map() };
    return true;
  }

  /**
   * UUIDv7 for a thing that the run creates. After the run has taken up an event, each attempt at
   * the event gets the same ids, if it creates things of a kind in the same order. So a retry finds
   * the things that a killed attempt has created, and does not create them again.
   */
  deriveUuid(kind: string): string {
    if (!this.work) return newUuid();
    const { id, made } = this.work;
    const n = made.get(kind) ?? 0;
    made.set(kind, n + 1);
    return derivedUuid(id, kind, n);
  }

  /**
   * Marks the events that the run has taken up as done, or gives them back if it failed. The
   * runtime calls it when the run ends.
   */
  async finishEvents(succeeded: boolean): Promise<void> {
    if (!this.taken.size) return;
    if (succeeded) await this.events.markDone(this.run, this.taken);
    else await this.events.releaseEvents(this.run, this.taken.keys());
    this.taken.clear();
    this.work = null;
  }
}
