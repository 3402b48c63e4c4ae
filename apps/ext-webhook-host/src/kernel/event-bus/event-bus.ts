import { Inject, Injectable } from '@nestjs/common';
import { beginningOf, type BusEvent } from '@platform/contracts';
import { Jobs } from '@platform/messaging';
import { Outbox, takeEventBytes } from '@platform/persistence';
import { isUnavailable, type Keyring } from '@platform/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { DeployedApps } from '../deployed/deployed-apps.service.js';
import { SECRET_KEYRING } from '../secrets/secret-vault.service.js';
import type { StoredEvent } from './event.entity.js';
import { EmitErrors } from './emit.errors.js';
import { eventQueue, eventsToGatewayQueue } from './events.jobs.js';

/**
 * How much of what an app has published may be unfinished: events that have not been given to their subscribers, and deliveries to apps
 * of the same developer.
 */
export const MAX_BACKLOG = 10_000;
/** More than are published at the same moment by all processes. */
const MARGIN = 500;
const MAX_REASON = 500;
const GRANT_PURPOSE = 'event-grant';

/** What the apps of one developer may publish in a day, in bytes. */
export const EVENT_QUOTA_BYTES = Symbol('EVENT_QUOTA_BYTES');

type Untold = Pick<StoredEvent, 'id' | 'sealedGrant' | 'postedAt' | 'dropped'>;

export interface Telling {
  /** Null where a release before has kept the event without one, so that nobody knows whose it is. */
  grant: string | null;
}

/** Where events come in. */
@Injectable()
export class EventBus {
  maxBacklog = MAX_BACKLOG;

  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly jobs: Jobs,
    @Inject(EVENT_QUOTA_BYTES) public quotaBytes: number,
    private readonly apps: DeployedApps,
    @Inject(SECRET_KEYRING) private readonly keyring: Keyring,
  ) {}

  /** Keeps an event that the gateway has published, for its subscribers. The same one again changes nothing. */
  async accept(event: BusEvent): Promise<void> {
    await this.outbox.transaction(async (em) => {
      const { event_id, user_id: owner } = event;
      if (await this.store(em, event, null)) await this.jobs.enqueue(em, eventQueue, 'give', { event_id, owner });
    });
  }

  /**
   * Keeps an event of an app, to be told to the gateway with the grant of the run that publishes it, and then given to its subscribers. The
   * same one again changes nothing.
   *
   * @throws ExtensionError EVENT_BACKLOG_FULL, retryable, when too much of what the app has published is not handled yet;
   *   EVENT_QUOTA_EXCEEDED when its developer's apps have published too much today, in all or for the event's user.
   */
  async publish(event: BusEvent, grant: string): Promise<void> {
    const { event_id, source } = event;
    const sealed = this.keyring.seal(GRANT_PURPOSE, grant, event_id);
    const owner = await this.developerOf(source);
    await this.outbox.transaction(async (em) => {
      await this.assertRoom(em, source, event_id);
      if (!(await this.store(em, event, sealed))) return;
      await this.jobs.enqueue(em, eventsToGatewayQueue, 'post', { event_id, owner });
      const limit = await takeEventBytes(em, { owner, userId: event.user_id }, event.data, this.quotaBytes);
      if (limit) throw EmitErrors.quotaExceeded(limit);
    });
  }

  /** The app itself where nobody knows its developer while the gateway is away: publishing does not wait for the gateway. */
  private async developerOf(source: string): Promise<string> {
    try {
      return (await this.apps.find(source))?.developer_id ?? source;
    } catch (error) {
      if (!isUnavailable(error, 'gateway')) throw error;
      return source;
    }
  }

  /** What the gateway is to be told an event with; null where it knows the event, or takes it from nobody. */
  telling({ id, sealedGrant, postedAt, dropped }: Untold): Telling | null {
    if (postedAt || dropped !== null) return null;
    return { grant: sealedGrant && this.keyring.open(GRANT_PURPOSE, sealedGrant, id) };
  }

  /**
   * The gateway knows this event of an app, but its subscribers were not found. Removes the grant, and has a `give` job look for them. Do not retry the
   * `post` job instead: by then the grant may have ended, and the event would be dropped. The release before does nothing in a `post` job of an event
   * with `posted_at`, and knows `give`. `owner`: as in the job. Changes nothing when it was done before.
   */
  async posted(id: string, owner: string | null): Promise<void> {
    await this.outbox.transaction(async (em) => {
      const [, changed] = await em.query<[unknown[], number]>(
        'UPDATE events SET sealed_grant = NULL, posted_at = now() WHERE id = $1 AND sealed_grant IS NOT NULL',
        [id],
      );
      if (changed) await this.jobs.enqueue(em, eventQueue, 'give', { event_id: id, owner });
    });
  }

  /** That the gateway takes an event from nobody: it is given to nobody. */
  async drop(id: string, reason: string): Promise<void> {
    await this.dataSource.query(
      `UPDATE events SET sealed_grant = NULL, given_at = coalesce(given_at, now()), dropped = coalesce(dropped, $2)
       WHERE id = $1 AND posted_at IS NULL`,
      [id, beginningOf(reason, MAX_REASON)],
    );
  }

  /**
   * Marks an event, which the gateway knows, as given to its subscribers, in the transaction that adds their deliveries: its grant goes. False when it
   * was given before.
   */
  async give(em: EntityManager, id: string): Promise<boolean> {
    const [, given] = await em.query<[unknown[], number]>(
      `UPDATE events SET given_at = now(), sealed_grant = NULL, posted_at = CASE WHEN sealed_grant IS NULL THEN posted_at ELSE now() END
       WHERE id = $1 AND given_at IS NULL`,
      [id],
    );
    return given > 0;
  }

  /** Whether it was not there. */
  private async store(
    em: EntityManager,
    { event_id, type, tenant_id, user_id, source, data, hop, timestamp }: BusEvent,
    sealedGrant: string | null,
  ): Promise<boolean> {
    const stored = await em.query<unknown[]>(
      `INSERT INTO events (id, type, tenant_id, user_id, source, data, hop, at, sealed_grant) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       ON CONFLICT DO NOTHING RETURNING id`,
      [event_id, type, tenant_id, user_id, source, JSON.stringify(data), hop, timestamp, sealedGrant],
    );
    return stored.length > 0;
  }

  /** What an app publishes at the same moment waits for each other only while there is little room. */
  private async assertRoom(em: EntityManager, source: string, eventId: string): Promise<void> {
    if (!(await hasBacklog(em, source, this.maxBacklog - MARGIN))) return;
    await em.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`events of ${source}`]);
    if (!(await hasBacklog(em, source, this.maxBacklog))) return;
    const [known] = await em.query<unknown[]>('SELECT FROM events WHERE id = $1', [eventId]);
    if (!known) throw EmitErrors.backlogFull(this.maxBacklog);
  }
}

/** Whether there are so many or more; looks at no more than that. */
async function hasBacklog(em: EntityManager, source: string, count: number): Promise<boolean> {
  const found = await em.query<unknown[]>(
    `SELECT FROM (
       SELECT FROM events WHERE source = $1 AND given_at IS NULL UNION ALL
       SELECT FROM event_deliveries WHERE source = $1 AND finished_at IS NULL) backlog OFFSET $2 LIMIT 1`,
    [source, Math.max(0, count - 1)],
  );
  return found.length > 0;
}
