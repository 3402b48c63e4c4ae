import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { QueueEngine, type Subscription } from './queue-engine.js';

type Listener = (key: string) => void;

interface Notification {
  topic: string;
  keys: string[];
}

/** Keeps a payload below the limit of PostgreSQL, 8,000 bytes. */
const KEYS_PER_MESSAGE = 100;

/**
 * Tells every process of the service that cached data may have changed, or that there is work
 * (`JobsService`). A notification can be lost, so it only shortens the wait: caches must also
 * expire.
 */
@Injectable()
export class BroadcastService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly listeners = new Map<string, Listener[]>();
  private subscription: Subscription | undefined;
  /** True if the last message was sent. An outage is logged once. */
  private isReached = true;

  constructor(
    private readonly dataSource: DataSource,
    private readonly engine: QueueEngine,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Calls `listener` with each key that any process of the service publishes on the topic,
   * including this process. Keys of this process come twice: at once, and with the message to all
   * processes.
   */
  subscribe(topic: string, listener: Listener): void {
    this.listeners.set(topic, [...(this.listeners.get(topic) ?? []), listener]);
  }

  /**
   * Publishes keys to all processes of the service. Call it after the commit. Listeners of this
   * process are called at once. Resolves when the messages, of up to 100 keys each, were sent. If
   * one cannot be sent, it resolves too: this is logged, and other processes do not get the keys of
   * this message and of later ones.
   */
  async publish(topic: string, keys: readonly string[]): Promise<void> {
    this.tell({ topic, keys: [...keys] });
    const wasReached = this.isReached;
    try {
      for (let at = 0; at < keys.length; at += KEYS_PER_MESSAGE) {
        const message: Notification = { topic, keys: keys.slice(at, at + KEYS_PER_MESSAGE) };
        await this.engine.publish(this.dataSource, JSON.stringify(message));
      }
      this.isReached = true;
    } catch (error) {
      this.isReached = false;
      this.logger[wasReached ? 'warn' : 'debug'](
        { err: error, topic },
        'could not notify the other processes; they notice within seconds',
      );
    }
  }

  onApplicationBootstrap(): void {
    this.subscription = this.engine.subscribe((message) => this.tell(JSON.parse(message) as Notification));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.subscription?.close();
  }

  private tell({ topic, keys }: Notification): void {
    for (const listener of this.listeners.get(topic) ?? []) for (const key of keys) listener(key);
  }
}
