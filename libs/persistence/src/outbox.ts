import { currentContext, newId, withOrigin } from '@platform/platform';
import type { DataSource, EntityManager, MigrationInterface, QueryRunner } from 'typeorm';

/** What a transaction asks to be done after it commits. */
export interface OutboxEntry {
  /** The queue that does the work, and the kind of work within it. */
  queue: string;
  name: string;
  /** Ids only: a job must not carry what may change or what is secret. */
  payload: Record<string, unknown>;
  /** Whose it is, of a queue whose jobs have owners; nobody's unless told. */
  owner?: string | undefined;
}

/** Whether a job has an entry; what runs on schedule has none. */
export const isOutboxId = (id: string): boolean => id.startsWith('job_');

/**
 * Work that a business change causes, written in the same transaction. A relay (`@platform/messaging`) hands it to the queue after
 * commit; the row stays until the work is done, so losing the whole queue loses nothing.
 */
export class Outbox {
  private listener: () => void = () => undefined;
  /** The transactions that added an entry. */
  private readonly adding = new WeakSet<QueryRunner>();

  constructor(private readonly dataSource: DataSource) {}

  /** Runs `work` in a transaction and, once it has committed with an entry, has the relay look: here, or in the processes that run workers. */
  async transaction<T>(work: (em: EntityManager) => Promise<T>): Promise<T> {
    let runner: QueryRunner | undefined;
    const result = await this.dataSource.transaction((em) => {
      runner = em.queryRunner;
      return work(em);
    });
    if (runner && this.adding.has(runner)) this.wake();
    return result;
  }

  /** Has the relay look, after a transaction that was not run by `transaction`. Without it the entries wait for the relay's next look, for up to a second. */
  wake(): void {
    this.listener();
  }

  /** Must run inside `transaction`. Returns the id of the entry, which is also the id of the job. */
  async add(em: EntityManager, { queue, name, payload, owner }: OutboxEntry): Promise<string> {
    const [id] = await this.addAll(em, { queue, name }, [{ payload, owner }]);
    return id as string;
  }

  /** As `add`, for many of a kind by one statement. Returns their ids in the order of `entries`. */
  async addAll(
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

  /** Called after every commit that added an entry, and by `wake`. */
  onCommit(listener: () => void): void {
    this.listener = listener;
  }
}

/** The states of an entry, in SQL. */
export const ENTRY_WAITS = 'dispatched_at IS NULL AND failed_at IS NULL';
export const ENTRY_IS_IN_QUEUE = 'dispatched_at IS NOT NULL AND due_at IS NULL AND failed_at IS NULL';
export const ENTRY_WAITS_FOR_RETRY = 'dispatched_at IS NOT NULL AND due_at IS NOT NULL AND failed_at IS NULL';
/** True for a waiting entry whose regular attempts all failed: it is tried once an hour. */
export const ENTRY_IS_LATE = '(error IS NOT NULL)';
export const ENTRY_FAILED = 'failed_at IS NOT NULL';

/**
 * The outbox table of a service. A row whose work is done is deleted; until then it is in one of these states:
 *
 * - it waits for its turn: `dispatched_at` is null;
 * - it is in the queue, or runs: `dispatched_at` is set and `due_at` is null;
 * - it waits for its next attempt (`ShareOutbox`): `due_at` is when that is, and so is `dispatched_at`;
 * - the same after all its regular attempts failed: `error` is that of the last one;
 * - it failed for good, and is kept for a person to look at: `failed_at` and `error` are set.
 *
 * `created_at` is since when the job is due: when it was added, or the time of its latest scheduled attempt. The name is older than that meaning.
 */
export abstract class CreateOutbox implements MigrationInterface {
  abstract name: string;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE outbox (
        id text PRIMARY KEY,
        queue text NOT NULL,
        name text NOT NULL,
        payload jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        dispatched_at timestamptz,
        failed_at timestamptz,
        error text
      )`);
    await runner.query('CREATE INDEX outbox_due_idx ON outbox (id) WHERE dispatched_at IS NULL AND failed_at IS NULL');
    await runner.query('CREATE INDEX outbox_dispatched_idx ON outbox (dispatched_at) WHERE failed_at IS NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE outbox');
  }
}

/**
 * What waits for its turn stays in the outbox: it knows whose it is (`owner`; empty: nobody's), how often it was tried, and, while it waits for
 * its next attempt, when that is (`due_at`). Safe on a live table: columns with constant defaults, and indexes that are built beside what is written. A
 * process of the release before hands over all that waits, whoever's it is.
 */
export abstract class ShareOutbox implements MigrationInterface {
  abstract name: string;
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE outbox
        ADD COLUMN IF NOT EXISTS owner text NOT NULL DEFAULT '',
        ADD COLUMN IF NOT EXISTS attempts integer NOT NULL DEFAULT 0,
        ADD COLUMN IF NOT EXISTS due_at timestamptz`);
    for (const [name, index] of [
      ['outbox_waiting_idx', '(queue, owner, id) WHERE dispatched_at IS NULL AND failed_at IS NULL'],
      ['outbox_due_at_idx', '(due_at) WHERE due_at IS NOT NULL'],
    ]) {
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await runner.query(`CREATE INDEX CONCURRENTLY ${name} ON outbox ${index}`);
    }
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS outbox_due_idx');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX CONCURRENTLY outbox_due_idx ON outbox (id) WHERE dispatched_at IS NULL AND failed_at IS NULL');
    for (const name of ['outbox_waiting_idx', 'outbox_due_at_idx']) await runner.query(`DROP INDEX CONCURRENTLY ${name}`);
    await runner.query('ALTER TABLE outbox DROP COLUMN owner, DROP COLUMN attempts, DROP COLUMN due_at');
  }
}
