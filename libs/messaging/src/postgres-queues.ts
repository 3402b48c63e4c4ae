import { CONNECT_TIMEOUT_MS, DatabaseClient, SESSION_LIMITS } from '@platform/persistence';
import { isUnreachable } from '@platform/platform';
import { assertSchemaCompatibility, ConnectionClosedError, PostgresConnection, PostgresQueueBackend, withBackend } from 'bullmq';
import { Pool } from 'pg';

export type QueueDatabase = {
  connectionString: string;
  /** Where BullMQ's own tables are. */
  schema: string;
  /** How many connections it may hold. A worker listens on one of them all the time. */
  max: number;
};

/** How long a job can wait whose announcement was lost. BullMQ would rely on announcements for an hour. */
const LONGEST_WAIT_SECONDS = 10;

/**
 * BullMQ pauses before it tries again only at what it knows for a lost connection, and it knows few of PostgreSQL's errors; at any
 * other it tries again at once. It says nothing of a lost connection, so that is told here.
 */
class QueuePool extends Pool {
  constructor({ connectionString, schema, max }: QueueDatabase) {
    super({
      ...SESSION_LIMITS,
      Client: DatabaseClient,
      connectionString,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      options: `-c search_path=${schema}`,
      max,
    });
    // An override would have to repeat each of pg's overloads.
    const query = super.query.bind(this) as (...statement: unknown[]) => Promise<unknown>;
    this.query = ((...statement: unknown[]) =>
      query(...statement).catch((error: unknown) => {
        throw isUnreachable(error) ? this.lost(error as Error) : error;
      })) as Pool['query'];
  }

  lost(error: Error): ConnectionClosedError {
    if (error instanceof ConnectionClosedError) return error;
    this.emit('error', error);
    return new ConnectionClosedError(error.message, error);
  }
}

class QueueConnection extends PostgresConnection {
  private ready: Promise<void> | undefined;
  private closed: Promise<void> | undefined;

  constructor(
    readonly statements: QueuePool,
    override readonly schema: string,
  ) {
    super(statements);
  }

  /** Asks again after a failure. BullMQ would remember the first for good, and its workers would spin on it. */
  override waitUntilReady(): Promise<void> {
    this.ready ??= assertSchemaCompatibility(this.statements, this.schema).then(
      () => undefined,
      (error: unknown) => {
        this.ready = undefined;
        throw this.statements.lost(error as Error);
      },
    );
    return this.ready;
  }

  /** BullMQ leaves a pool open that it was given. */
  override close(): Promise<void> {
    this.closed ??= super.close().then(() => this.statements.end());
    return this.closed;
  }
}

class PostgresBackend extends PostgresQueueBackend {
  override get maximumBlockTimeout(): number {
    return LONGEST_WAIT_SECONDS;
  }

  /** Left to the next check, where BullMQ would first pause for as long again, also when the process stops. */
  override async moveStalledJobsToWait(): Promise<string[]> {
    try {
      return await super.moveStalledJobsToWait();
    } catch (error) {
      if (error instanceof ConnectionClosedError) return [];
      throw error;
    }
  }
}

/** BullMQ's classes on PostgreSQL, made to outlive an outage of it, whenever that begins. */
export const { Queue: PostgresQueue, Worker: PostgresWorker } = withBackend(
  (name, options: { connection: QueueDatabase }, { withBlockingConnection } = {}) => {
    const { connection } = options;
    const listener = withBlockingConnection ? name : undefined;
    return new PostgresBackend(new QueueConnection(new QueuePool(connection), connection.schema), name, options, true, listener);
  },
);
