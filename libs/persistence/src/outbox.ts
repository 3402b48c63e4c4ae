import { newId } from '@platform/platform';
import type { DataSource, EntityManager, MigrationInterface, QueryRunner } from 'typeorm';

/** What a transaction asks to be done after it commits. */
export interface OutboxEntry {
  /** The queue that does the work, and the kind of work within it. */
  queue: string;
  name: string;
  /** Ids only: a job must not carry what may change or what is secret. */
  payload: Record<string, unknown>;
}

/**
 * Work that a business change causes, written in the same transaction. A relay (`@platform/messaging`) hands it to the queue after
 * commit; the row stays until the work is done, so losing the whole queue loses nothing.
 */
export class Outbox {
  private listener: () => void = () => undefined;

  constructor(private readonly dataSource: DataSource) {}

  /** Runs `work` in a transaction and, once it has committed, wakes the relay. */
  async transaction<T>(work: (em: EntityManager) => Promise<T>): Promise<T> {
    const result = await this.dataSource.transaction(work);
    this.wake();
    return result;
  }

  /** Wakes the relay, after a transaction that was not run by `transaction`. Without it the entries wait for the next sweep. */
  wake(): void {
    this.listener();
  }

  /** Must run inside `transaction`. Returns the id of the entry, which is also the id of the job. */
  async add(em: EntityManager, { queue, name, payload }: OutboxEntry): Promise<string> {
    const id = newId('job');
    await em.query('INSERT INTO outbox (id, queue, name, payload) VALUES ($1, $2, $3, $4)', [id, queue, name, JSON.stringify(payload)]);
    return id;
  }

  /** As `add`, for many of a kind by one statement. Returns their ids in the order of `payloads`. */
  async addAll(em: EntityManager, { queue, name }: Omit<OutboxEntry, 'payload'>, payloads: OutboxEntry['payload'][]): Promise<string[]> {
    const ids = payloads.map(() => newId('job'));
    await em.query(
      'INSERT INTO outbox (id, queue, name, payload) SELECT id, $2, $3, payload FROM unnest($1::text[], $4::jsonb[]) AS added (id, payload)',
      [ids, queue, name, payloads.map((payload) => JSON.stringify(payload))],
    );
    return ids;
  }

  /** Called after every commit that may have added an entry. */
  onCommit(listener: () => void): void {
    this.listener = listener;
  }
}

/**
 * The outbox table of a service. `dispatched_at`: handed to the queue. `failed_at`: every attempt failed; the row is kept for a
 * person to look at. A row whose work is done is deleted.
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
