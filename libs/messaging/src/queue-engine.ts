import { CONNECT_TIMEOUT_MS, DatabaseClient } from '@platform/persistence';
import { Queue, runMigrations, UnrecoverableError, Worker, type Processor } from 'bullmq';
import { Redis, type RedisOptions } from 'ioredis';
import type { DataSource } from 'typeorm';
import { PostgresQueue, PostgresWorker, QueueDatabase } from './postgres-queues.js';
import { PostgresSubscription } from './postgres-subscription.js';

export interface QueueEngineOptions {
  /** The schema of the service; its queues stand beside it. */
  schema: string;
  databaseUrl: string;
  /** Empty: the queues live on PostgreSQL. */
  redisUrl: string;
}

/** Thrown by a job handler when trying again cannot help. */
export const PermanentFailure = UnrecoverableError;

export interface WorkerSettings {
  concurrency: number;
  backoff: (attemptsMade: number) => number;
}

export interface Subscription {
  close(): Promise<void>;
}

/** A job of a process that was killed is taken up by another after at most their sum. */
const LOCK_MS = 10_000;
const STALLED_CHECK_MS = 5_000;
/** The pause before a queue that is away is asked again. */
export const RETRY_MS = 1_000;

/** The only place that knows whether BullMQ runs on PostgreSQL or on Redis. */
export class QueueEngine {
  readonly name: 'postgresql' | 'redis';
  /** Shared with whatever else lives on Redis, such as rate limits; null when there is none. */
  readonly redis: Redis | null;
  /** All workers send their commands over it; each has a second connection of its own, which waits for jobs. */
  private workerConnection: Redis | undefined;
  private readonly postgres: QueueDatabase;

  constructor(
    private readonly options: QueueEngineOptions,
    private readonly onError: (error: Error) => void,
  ) {
    this.name = options.redisUrl ? 'redis' : 'postgresql';
    this.postgres = new QueueDatabase({ connectionString: options.databaseUrl, schema: queueSchema(options.schema), onError });
    // Fails at once while Redis is away; the outbox tries again.
    this.redis = options.redisUrl ? this.connectRedis({ maxRetriesPerRequest: 1, enableOfflineQueue: false }) : null;
  }

  /** A queue whose `add` fails, rather than waits, while its server is away. */
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
      maxStalledCount: 10, // a worker that is killed again and again must not cost the job
      runRetryDelay: RETRY_MS,
      autorun: false,
    };
    const worker = this.redis
      ? new Worker(name, processor, { ...settings, connection: this.connectionOfWorkers(), prefix: this.prefix })
      : (new PostgresWorker(name, processor, { ...settings, connection: { shared: this.postgres } }) as unknown as Worker);
    worker.on('error', this.onError);
    return worker;
  }

  /** Rejects while the queues cannot be reached. On PostgreSQL they are where the database is, if their tables are. */
  async check(database: DataSource): Promise<void> {
    if (this.redis) await this.redis.ping();
    else await database.query(`SELECT FROM ${queueSchema(this.options.schema)}.job LIMIT 0`);
  }

  /** Hears what any process of the service publishes from the moment it is connected, which is soon, not at once. */
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
    this.workerConnection?.disconnect(); // BullMQ leaves a connection open that it was given
    await this.redis?.quit().catch(() => this.redis?.disconnect());
  }

  /** @returns a connection that keeps commands while Redis is away, so that a job that is done is noted once it is back. */
  private connectionOfWorkers(): Redis {
    return (this.workerConnection ??= this.connectRedis({ maxRetriesPerRequest: null }));
  }

  private connectRedis(options: RedisOptions): Redis {
    const redis = new Redis(this.options.redisUrl, { connectTimeout: 5_000, ...options });
    redis.on('error', this.onError);
    return redis;
  }

  /** The database's name is part of it, so that platforms with a database each can share a Redis. */
  get prefix(): string {
    return `${new URL(this.options.databaseUrl).pathname.slice(1)}:${this.options.schema}`;
  }

  private get channel(): string {
    return this.redis ? `${this.prefix}:notifications` : `${this.options.schema}_notifications`;
  }
}

/** Makes or updates BullMQ's own tables for a service's queues. Safe to call from several processes at once. */
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
