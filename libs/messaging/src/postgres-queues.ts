import { CONNECT_TIMEOUT_MS, DatabaseClient, SESSION_LIMITS, type DatabaseClientConfig } from '@platform/persistence';
import { isUnreachable } from '@platform/platform';
import {
  assertSchemaCompatibility,
  ConnectionClosedError,
  PostgresConnection,
  PostgresQueueBackend,
  withBackend,
  type PgPool,
} from 'bullmq';
import { Pool, type Client, type ClientConfig, type PoolConfig } from 'pg';

export interface QueueDatabaseOptions {
  connectionString: string;
  /** Schema of BullMQ's own tables. */
  schema: string;
  /**
   * Called for each lost connection, and for each statement that fails while the server is
   * unavailable.
   */
  onError: (error: Error) => void;
}

/** Statements that all queues and workers of a process run at the same time. They are short. */
const STATEMENTS_AT_ONCE = 5;
/**
 * Maximum seconds that a job waits if its announcement was lost. BullMQ would rely on announcements
 * for an hour.
 */
const LONGEST_WAIT_SECONDS = 10;

/**
 * A pool that converts errors of an outage and reports them. BullMQ pauses before a retry only
 * after errors that it knows as a lost connection, and it knows few errors of PostgreSQL; after
 * others it retries at once. It does not report a lost connection.
 */
class QueuePool extends Pool {
  constructor({ connectionString, schema, onError }: QueueDatabaseOptions) {
    const sessions: PoolConfig & DatabaseClientConfig = {
      ...SESSION_LIMITS,
      Client: DatabaseClient,
      connectionString,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      searchPath: schema,
      max: STATEMENTS_AT_ONCE,
    };
    super(sessions);
    this.on('error', onError);
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

/**
 * Connections that all queues and workers of a process share: a pool for statements, and a
 * connection that listens for jobs. BullMQ would open two or three for each queue and worker. They
 * are opened with the first queue or worker, and closed with the last.
 */
export class QueueDatabase {
  private readonly connections = new Set<QueueConnection>();
  private pool: QueuePool | undefined;
  private listener: Promise<JobListener> | undefined;
  private ready: Promise<void> | undefined;

  constructor(private readonly options: QueueDatabaseOptions) {}

  get schema(): string {
    return this.options.schema;
  }

  get statements(): QueuePool {
    return (this.pool ??= new QueuePool(this.options));
  }

  addConnection(connection: QueueConnection): void {
    this.connections.add(connection);
  }

  /** Closes the connections if no other queue or worker uses them. */
  async removeConnection(connection: QueueConnection): Promise<void> {
    this.connections.delete(connection);
    if (this.connections.size > 0) return;
    const { pool, listener } = this;
    this.pool = this.listener = this.ready = undefined;
    const client = await listener?.catch(() => undefined);
    await Promise.all([client?.end(), pool?.end()]);
  }

  /**
   * Checks BullMQ's tables once; after a failure, the next call checks again. BullMQ would keep the
   * first failure forever, and its workers would retry without a pause.
   *
   * @throws ConnectionClosedError if the tables cannot be read, do not exist, or need a newer
   * BullMQ.
   */
  waitUntilReady(): Promise<void> {
    const { statements, schema } = this;
    this.ready ??= assertSchemaCompatibility(statements, schema).then(
      () => undefined,
      (error: unknown) => {
        this.ready = undefined;
        throw statements.lost(error as Error);
      },
    );
    return this.ready;
  }

  /**
   * Returns the connection on which all workers of the process listen for jobs. The first call
   * opens it; after a failed attempt or a lost connection, the next call opens another.
   *
   * @throws ConnectionClosedError if it cannot connect.
   */
  listen(): Promise<JobListener> {
    this.listener ??= this.connectListener();
    return this.listener;
  }

  private connectListener(): Promise<JobListener> {
    const { options, statements } = this;
    const { connectionString, onError } = options;
    const client = new JobListener({
      ...SESSION_LIMITS,
      connectionString,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    });
    const listener = client.connect().then(
      () => client,
      (error: unknown) => {
        if (this.listener === listener) this.listener = undefined;
        throw statements.lost(error as Error);
      },
    );
    client.onLost((error) => {
      if (this.listener !== listener) return; // it was closed
      this.listener = undefined;
      onError(error);
      for (const connection of this.connections) connection.emit('listenerinvalidated'); // each calls LISTEN again
    });
    return listener;
  }
}

/**
 * The connection on which all workers LISTEN. All of them LISTEN to the same channel, so the server
 * gets the statement once. A connection on which a statement fails is useless, and counts as lost.
 */
class JobListener extends DatabaseClient {
  private readonly asked = new Map<unknown, Promise<unknown>>();
  private lose: (error: Error) => void = () => undefined;

  constructor(config: ClientConfig) {
    super(config);
    this.setMaxListeners(0);
    const query = this.query.bind(this) as (statement: unknown) => Promise<unknown>;
    this.query = ((statement: unknown) => {
      const answer = this.asked.get(statement) ?? query(statement);
      this.asked.set(statement, answer);
      answer.catch((error: unknown) => this.lose(error as Error));
      return answer;
    }) as Client['query'];
  }

  /**
   * Calls `told` once, at the first loss of any kind: an error or the end of the connection, or a
   * failed statement. The connection is then closed, and reports no more jobs.
   */
  onLost(told: (error: Error) => void): void {
    this.lose = (error) => {
      this.lose = () => undefined;
      this.removeAllListeners('notification');
      void this.end().catch(() => undefined);
      told(error);
    };
    this.on('error', (error: Error) => this.lose(error));
    // The event `end` covers `query_timeout`, which is not an `error` of the connection.
    this.on('end', () => this.lose(new Error('The connection that listens for jobs has ended.')));
  }
}

/**
 * The access of a queue or worker to the shared connections. It neither closes them nor repeats
 * their errors.
 */
class QueueConnection extends PostgresConnection {
  override readonly schema: string;
  private closed: Promise<void> | undefined;

  constructor(private readonly database: QueueDatabase) {
    super(shareOf(database.statements));
    this.schema = database.schema;
    database.addConnection(this);
  }

  override waitUntilReady(): Promise<void> {
    return this.database.waitUntilReady();
  }

  override getListenClient(): Promise<JobListener> {
    return this.database.listen();
  }

  /** Does nothing: a connection that all workers share cannot have the name of each. */
  override setListenClientName(): Promise<void> {
    return Promise.resolve();
  }

  override close(): Promise<void> {
    this.closed ??= super.close().then(() => this.database.removeConnection(this));
    return this.closed;
  }
}

function shareOf(pool: QueuePool): PgPool {
  const share: PgPool = {
    query: (statement, parameters) => pool.query(statement, [...(parameters ?? [])]) as never,
    connect: () => pool.connect(),
    end: () => Promise.resolve(),
    on: () => share,
    removeAllListeners: () => share,
  };
  return share;
}

class PostgresBackend extends PostgresQueueBackend {
  override get maximumBlockTimeout(): number {
    return LONGEST_WAIT_SECONDS;
  }

  /**
   * Gives the jobs of killed workers to other workers, and returns their ids. If the connection is
   * lost, it returns an empty list, and the next check does the work. BullMQ would first pause for
   * the same time, also while the process stops.
   */
  override async moveStalledJobsToWait(): Promise<string[]> {
    try {
      return await super.moveStalledJobsToWait();
    } catch (error) {
      if (error instanceof ConnectionClosedError) return [];
      throw error;
    }
  }
}

/**
 * Wraps the shared connections, because BullMQ's types accept only a plain object as the connection
 * of a queue.
 */
interface Options {
  connection: { shared: QueueDatabase };
}

/** BullMQ's classes on PostgreSQL, changed so that they survive an outage at any time. */
export const { Queue: PostgresQueue, Worker: PostgresWorker } = withBackend(
  (name, options: Options, { withBlockingConnection } = {}) =>
    new PostgresBackend(
      new QueueConnection(options.connection.shared),
      name,
      options,
      true,
      withBlockingConnection ? name : undefined,
    ),
);
