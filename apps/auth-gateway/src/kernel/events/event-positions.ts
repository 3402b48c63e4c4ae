import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Notifications } from '@platform/messaging';
import { LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { DataSource, type EntityManager, type EntitySubscriberInterface, type QueryRunner } from 'typeorm';

/** Tells every process that events have got positions. */
export const EVENTS_PLACED = 'events-placed';

const MOST_AT_ONCE = 1_000;

const KNOWN = new WeakMap<DataSource, EventPositions>();

/**
 * Gives committed events their positions, in the order in which they can be seen. The process that has written an event does it right after the commit; whoever follows
 * events does it for one that died in between.
 */
@Injectable()
export class EventPositions implements EntitySubscriberInterface, OnApplicationBootstrap, OnApplicationShutdown {
  /** Of the events that `publishEvent` writes. Undefined in a program that is no service: there they get their positions by the next one that looks. */
  static of(dataSource: DataSource): EventPositions | undefined {
    return KNOWN.get(dataSource);
  }

  /** Transactions that have written an event. */
  private readonly writing = new WeakSet<QueryRunner>();
  private placing: Promise<void> | undefined;
  private isWanted = false;
  private isStopped = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly notifications: Notifications,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    KNOWN.set(dataSource, this);
  }

  onApplicationBootstrap(): void {
    this.dataSource.subscribers.push(this);
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    await this.placing;
  }

  /** The event that `em` has just written gets its position once its transaction has committed; at once where there is none. */
  placeAfterCommit({ queryRunner }: EntityManager): void {
    if (queryRunner?.isTransactionActive) this.writing.add(queryRunner);
    else this.kick();
  }

  /** Of TypeORM, which also calls it after a savepoint. */
  afterTransactionCommit({ queryRunner }: { queryRunner: QueryRunner }): void {
    if (!queryRunner.isTransactionActive && this.writing.delete(queryRunner)) this.kick();
  }

  /** Resolves once all that had been committed when it was called is placed. */
  async place(): Promise<void> {
    let placed = 0;
    do {
      [{ placed }] = await this.dataSource.query<[{ placed: number }]>('SELECT platform_events_place($1) AS placed', [MOST_AT_ONCE]);
      if (placed) await this.notifications.publish(EVENTS_PLACED, ['']);
    } while (placed === MOST_AT_ONCE);
  }

  /** Those that come while it works are placed together, after that. */
  private kick(): void {
    this.isWanted = true;
    this.placing ??= this.work().finally(() => {
      this.placing = undefined;
      if (this.isWanted && !this.isStopped) this.kick();
    });
  }

  private async work(): Promise<void> {
    this.isWanted = false;
    await this.place().catch((error: unknown) =>
      this.logger.warn({ err: error }, 'events could not get their positions; they do with the next one'),
    );
  }
}
