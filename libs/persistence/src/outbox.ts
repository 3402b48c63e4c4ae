import { currentContext, newId, withOrigin } from '@platform/platform';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import type { SchemaPart } from './schema-part.js';

/** Work to do after a transaction has committed. */
export interface OutboxEntry {
  /** The queue that does the work, and the kind of work in it. */
  queue: string;
  name: string;
  /** Only ids: a job must not contain data that can change or is secret. */
  payload: Record<string, unknown>;
  /** Owner of the job, in a queue with owners. Default: none. */
  owner?: string | undefined;
}

/**
 * True if a job with this id came from the outbox: the id begins with `job_`. Scheduled jobs have
 * no entry there, and other ids. It does not check that the entry still exists.
 */
export const isOutboxId = (id: string): boolean => id.startsWith('job_');

/**
 * Work that a change of data causes, written in the same transaction. After the commit a relay
 * (`@platform/messaging`) hands it to the queue. The row stays until the work is done, so nothing
 * is lost even if the whole queue is lost.
 */
export class Outbox {
  private listener: () => void = () => undefined;
  /** Transactions that added an entry. */
  private readonly adding = new WeakSet<QueryRunner>();

  constructor(private readonly dataSource: DataSource) {}

  /**
   * Runs `work` in a transaction, and returns its result; an error rolls back everything, and is
   * thrown. After the commit of a transaction that added an entry, the relay, which hands entries
   * to the queues, looks for it at once: here, or in the processes that run workers.
   */
  async transaction<T>(work: (em: EntityManager) => Promise<T>): Promise<T> {
    let runner: QueryRunner | undefined;
    const result = await this.dataSource.transaction((em) => {
      runner = em.queryRunner;
      return work(em);
    });
    if (runner && this.adding.has(runner)) this.wakeRelay();
    return result;
  }

  /**
   * Makes the relay, which hands entries to the queues, look for entries at once, after a
   * transaction that was not run by `transaction`. Without it the entries wait up to a second for
   * the relay's next look.
   */
  wakeRelay(): void {
    this.listener();
  }

  /**
   * Adds an entry. Must run inside `transaction`. Returns the id of the entry, which is also the id
   * of the job.
   */
  async addEntry(em: EntityManager, { queue, name, payload, owner }: OutboxEntry): Promise<string> {
    const [id] = await this.addEntries(em, { queue, name }, [{ payload, owner }]);
    return id as string;
  }

  /**
   * Adds many entries of one kind in one statement. Must run inside `transaction`. Returns their
   * ids in the order of `entries`.
   */
  async addEntries(
    em: EntityManager,
    { queue, name }: Pick<OutboxEntry, 'queue' | 'name'>,
    entries: Pick<OutboxEntry, 'payload' | 'owner'>[],
  ): Promise<string[]> {
    const ids = entries.map(() => newId('job'));
    if (em.queryRunner) this.adding.add(em.queryRunner);
    const isInJob = currentContext()?.isJob ?? false;
    await em.query(
      `INSERT INTO outbox (id, queue, name, payload, owner)
       SELECT id, $2, $3, payload, owner FROM unnest($1::text[], $4::jsonb[], $5::text[]) AS added (id, payload, owner)`,
      [
        ids,
        queue,
        name,
        entries.map(({ payload }) => JSON.stringify(withOrigin(payload, isInJob))),
        entries.map(({ owner }) => owner ?? ''),
      ],
    );
    return ids;
  }

  /** Sets the function that runs after every commit that added an entry, and in `wakeRelay`. */
  onCommit(listener: () => void): void {
    this.listener = listener;
  }
}

/** States of an entry, in SQL. */
export const ENTRY_WAITS = 'dispatched_at IS NULL AND failed_at IS NULL';
export const ENTRY_IS_IN_QUEUE = 'dispatched_at IS NOT NULL AND due_at IS NULL AND failed_at IS NULL';
export const ENTRY_WAITS_FOR_RETRY = 'dispatched_at IS NOT NULL AND due_at IS NOT NULL AND failed_at IS NULL';
/** True for a waiting entry after all its regular attempts failed: it is tried once an hour. */
export const ENTRY_IS_LATE = '(error IS NOT NULL)';
export const ENTRY_FAILED = 'failed_at IS NOT NULL';

/**
 * The outbox table of a service. A row is deleted when its work is done. Until then it has one of
 * these states:
 *
 * - waiting for its turn: `dispatched_at` is null
 * - in the queue, or running: `dispatched_at` is set and `due_at` is null
 * - waiting for its next attempt: `due_at` and `dispatched_at` are the time of that attempt
 * - waiting after all its regular attempts failed: the same, and `error` is the error of the last
 *   attempt
 * - failed for good, and kept for a person to inspect: `failed_at` and `error` are set
 *
 * `created_at` is the time since when the job is due: when it was added, or the time of its latest
 * scheduled attempt. `owner` is the owner of the job (empty: none).
 */
export const outboxPart: SchemaPart = {
  tables: `
  CREATE TABLE outbox (
    id text PRIMARY KEY,
    queue text NOT NULL,
    name text NOT NULL,
    payload jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    dispatched_at timestamptz,
    failed_at timestamptz,
    error text,
    owner text NOT NULL DEFAULT '',
    attempts integer NOT NULL DEFAULT 0,
    due_at timestamptz
  );
  CREATE INDEX outbox_dispatched_idx ON outbox (dispatched_at) WHERE failed_at IS NULL;
  CREATE INDEX outbox_waiting_idx ON outbox (queue, owner, id) WHERE dispatched_at IS NULL AND failed_at IS NULL;
  CREATE INDEX outbox_due_at_idx ON outbox (due_at) WHERE due_at IS NOT NULL;`,
};
