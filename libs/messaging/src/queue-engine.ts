import { CONNECT_TIMEOUT_MS, DatabaseClient } from '@platform/persistence';
import { Queue, runMigrations, UnrecoverableError, Worker, type Processor } from 'bullmq';
import { Redis, type RedisOptions } from 'ioredis';
import type { DataSource } from 'typeorm';
import { PostgresQueue, PostgresWorker, QueueDatabase } from './postgres-queues.js';
import { PostgresSubscription } from './postgres-subscription.js';

export interface QueueEngineOptions {
  /** Schema of the service. The queues have a schema beside it. */
  schema: string;
  databaseUrl: string;
  /** Empty: the queues are in PostgreSQL. */
  redisUrl: string;
}

/** Thrown by a job handler if a retry cannot succeed. */
export const PermanentFailure = UnrecoverableError;

export interface WorkerSettings {
  concurrency: number;
  backoff: (attemptsMade: number) => number;
}

export interface Subscription {
  close(): Promise<void>;
}

/** After at most the sum of both, another process takes over the job of a killed process. */
const LOCK_MS = 10_000;
const STALLED_CHECK_MS = 5_000;
/** Milliseconds before the next attempt to reach an unavailable queue. */
export const RETRY_MS = 1_000;

/**
 * Opens queues and workers, and sends messages to the processes of the service: on Redis if it has
 * a `redisUrl`, otherwise on PostgreSQL. No other class knows which.
 */
export class QueueEngine {
  readonly name: 'postgresql' | 'redis';
  /** Connection that other features share, such as rate limits. Null without Redis. */
  readonly redis: Redis | null;
  /**
   * Connection for the commands of all workers. Each worker has a second connection of its own,
   * which waits for jobs.
   */
  private workerConnection: Redis | undefined;
  private readonly postgres: QueueDatabase;

  constructor(
    private readonly options: QueueEngineOptions,
    private readonly onError: (error: Error) => void,
  ) {
    this.name = options.redisUrl ? 'redis' : 'postgresql';
    this.postgres = new QueueDatabase({
      connectionString: options.databaseUrl,
      schema: queueSchema(options.schema),
      onError,
    });
    // Fails at once while Redis is unavailable; the outbox tries again.
    this.redis = options.redisUrl ? this.connectRedis({ maxRetriesPerRequest: 1, enableOfflineQueue: false }) : null;
  }

  /**
   * Opens a BullMQ queue, in Redis or in PostgreSQL. While the server is unavailable, its `add`
   * fails instead of waiting for the end of the outage. Errors of its connection go to `onError`.
   */
  queue(name: string): Queue {
    const queue = this.redis
      ? new Queue(name, { connection: this.redis, prefix: this.prefix })
      : (new PostgresQueue(name, { connection: { shared: this.postgres } }) as unknown as Queue);
    queue.on('error', this.onError);
    return queue;
  }

  worker(name: string, processor: Processor, { concurrency, backoff }: WorkerSettings): Worker {
    const settings = {
      concurrency,
      settings: { backoffStrategy: backoff },
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_CHECK_MS,
      maxStalledCount: 10, // a job must survive a worker that is killed repeatedly
      runRetryDelay: RETRY_MS,
      autorun: false,
    };
    const worker = this.redis
      ? new Worker(name, processor, { ...settings, connection: this.connectionOfWorkers(), prefix: this.prefix })
      : (new PostgresWorker(name, processor, {
          ...settings,
          connection: { shared: this.postgres },
        }) as unknown as Worker);
    worker.on('error', this.onError);
    return worker;
  }

  /**
   * Checks that the queues can be reached, and rejects if not: with Redis it sends a ping; without
   * Redis it reads their table of jobs in `database`.
   */
  async check(database: DataSource): Promise<void> {
    if (this.redis) await this.redis.ping();
    else await database.query(`SELECT FROM ${queueSchema(this.options.schema)}.job LIMIT 0`);
  }

  /**
   * Calls `onMessage` for the messages of all processes of the service, this one included, until
   * `close` of the result is called. It connects in the background, and again after a lost
   * connection, so it misses the first messages and those of an outage. Errors go to `onError`.
   */
  subscribe(onMessage: (message: string) => void): Subscription {
    if (!this.redis) return new PostgresSubscription(this.options.databaseUrl, this.channel, onMessage, this.onError);
    const subscriber = this.connectRedis({ maxRetriesPerRequest: null });
    subscriber.on('message', (_channel: string, message: string) => onMessage(message));
    subscriber.subscribe(this.channel).catch(this.onError);
    return {
      close() {
        subscriber.disconnect();
        return Promise.resolve();
      },
    };
  }

  async publish(database: DataSource, message: string): Promise<void> {
    if (this.redis) await this.redis.publish(this.channel, message);
    else await database.query('SELECT pg_notify($1, $2)', [this.channel, message]);
  }

  async close(): Promise<void> {
    this.workerConnection?.disconnect(); // BullMQ does not close a connection that it was given
    await this.redis?.quit().catch(() => this.redis?.disconnect());
  }

  /**
   * A connection that keeps commands while Redis is unavailable, so that a finished job is recorded
   * after an outage.
   */
  private connectionOfWorkers(): Redis {
    return (this.workerConnection ??= this.connectRedis({ maxRetriesPerRequest: null }));
  }

  private connectRedis(options: RedisOptions): Redis {
    const redis = new Redis(this.options.redisUrl, { connectTimeout: 5_000, ...options });
    redis.on('error', this.onError);
    return redis;
  }

  /**
   * Prefix of all keys of the service in Redis: the name of its database, a colon, and its schema.
   * So platforms with separate databases can share a Redis.
   */
  get prefix(): string {
    return `${new URL(this.options.databaseUrl).pathname.slice(1)}:${this.options.schema}`;
  }

  private get channel(): string {
    return this.redis ? `${this.prefix}:notifications` : `${this.options.schema}_notifications`;
  }
}

/**
 * Creates or updates BullMQ's own tables for the queues of a service, in the schema
 * `<schema>_queues` of this database. Safe to call in several processes at once.
 */
export async function migrateQueues(databaseUrl: string, schema: string): Promise<void> {
  const client = new DatabaseClient({ connectionString: databaseUrl, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  await client.connect();
  try {
    await runMigrations(client, queueSchema(schema));
  } finally {
    await client.end();
  }
}

const queueSchema = (schema: string) => `${schema}_queues`;
