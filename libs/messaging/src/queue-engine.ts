import { createPostgresBackend, Queue, runMigrations, UnrecoverableError, withBackend, Worker, type Processor } from 'bullmq';
import { Redis, type RedisOptions } from 'ioredis';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';

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

/** A job of a process that was killed is taken up by another after at most their sum. */
const LOCK_MS = 10_000;
const STALLED_CHECK_MS = 5_000;
const onPostgres = withBackend(createPostgresBackend);

/** The only place that knows whether BullMQ runs on PostgreSQL or on Redis. */
export class QueueEngine {
  readonly name: 'postgresql' | 'redis';
  /** Shared with whatever else lives on Redis, such as rate limits; null when there is none. */
  readonly redis: Redis | null;
  /** BullMQ leaves a connection open that it was given. */
  private readonly workerConnections: Redis[] = [];

  constructor(
    private readonly options: QueueEngineOptions,
    private readonly onError: (error: Error) => void,
  ) {
    this.name = options.redisUrl ? 'redis' : 'postgresql';
    // Fails at once while Redis is away; the outbox tries again.
    this.redis = options.redisUrl ? this.connectRedis({ maxRetriesPerRequest: 1, enableOfflineQueue: false }) : null;
  }

  /** A queue whose `add` fails, rather than waits, while its server is away. */
  queue(name: string): Queue {
    const queue = this.redis
      ? new Queue(name, { connection: this.redis, prefix: this.prefix })
      : (new onPostgres.Queue(name, { connection: this.postgres(1) }) as unknown as Queue);
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
      autorun: false,
    };
    const worker = this.redis
      ? new Worker(name, processor, { ...settings, connection: this.connectWorker(), prefix: this.prefix })
      : (new onPostgres.Worker(name, processor, { ...settings, connection: this.postgres(2) }) as unknown as Worker);
    worker.on('error', this.onError);
    return worker;
  }

  /** Rejects while the queues cannot be reached. On PostgreSQL they are where the database is, if their tables are. */
  async check(database: DataSource): Promise<void> {
    if (this.redis) await this.redis.ping();
    else await database.query(`SELECT FROM ${queueSchema(this.options.schema)}.job LIMIT 0`);
  }

  async close(): Promise<void> {
    for (const connection of this.workerConnections) connection.disconnect();
    await this.redis?.quit().catch(() => this.redis?.disconnect());
  }

  private connectWorker(): Redis {
    const connection = this.connectRedis({ maxRetriesPerRequest: null });
    this.workerConnections.push(connection);
    return connection;
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

  private postgres(max: number) {
    return { connectionString: this.options.databaseUrl, schema: queueSchema(this.options.schema), max, keepAlive: true };
  }
}

/** Makes or updates BullMQ's own tables for a service's queues. Safe to call from several processes at once. */
export async function migrateQueues(databaseUrl: string, schema: string): Promise<void> {
  const client = new Client(databaseUrl);
  await client.connect();
  try {
    await runMigrations(client, queueSchema(schema));
  } finally {
    await client.end();
  }
}

const queueSchema = (schema: string) => `${schema}_queues`;
