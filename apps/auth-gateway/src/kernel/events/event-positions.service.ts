import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { BroadcastService } from '@platform/messaging';
import { LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { DataSource, type EntityManager, type EntitySubscriberInterface, type QueryRunner } from 'typeorm';

/** Notification to every process that events have received positions in the event stream. */
export const EVENTS_PLACED = 'events-placed';

const MAX_AT_ONCE = 1_000;

const KNOWN = new WeakMap<DataSource, EventPositionsService>();

/**
 * Gives committed events their positions in the event stream, in the order in which they become
 * visible. The process that wrote an event does this right after the commit. If that process dies
 * first, another process that calls `placeEvents` does it.
 */
@Injectable()
export class EventPositionsService implements EntitySubscriberInterface, OnApplicationBootstrap, OnApplicationShutdown {
  /**
   * Returns the instance for a data source; `publishEvent` uses it. Undefined in a program that is
   * not a service: its events get positions from the next process that calls `placeEvents`.
   */
  static forDataSource(dataSource: DataSource): EventPositionsService | undefined {
    return KNOWN.get(dataSource);
  }

  /** Open transactions that have written an event. */
  private readonly writing = new WeakSet<QueryRunner>();
  private placing: Promise<void> | undefined;
  private isWanted = false;
  private isStopped = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly broadcast: BroadcastService,
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

  /**
   * Starts `placeEvents` for an event that `em` has just written: after the commit of the
   * transaction, or immediately if there is no transaction. After a rollback it does nothing.
   */
  placeAfterCommit({ queryRunner }: EntityManager): void {
    if (queryRunner?.isTransactionActive) this.writing.add(queryRunner);
    else this.startPlacing();
  }

  /**
   * Starts `placeEvents` in the background after a commit, if the transaction wrote an event.
   * TypeORM calls it, also after the release of a savepoint; then it does nothing.
   */
  afterTransactionCommit({ queryRunner }: { queryRunner: QueryRunner }): void {
    if (!queryRunner.isTransactionActive && this.writing.delete(queryRunner)) this.startPlacing();
  }

  /**
   * Gives positions to all events that were committed before the call, and notifies every process
   * about them. Safe to retry.
   */
  async placeEvents(): Promise<void> {
    let placed = 0;
    do {
      [{ placed }] = await this.dataSource.query<[{ placed: number }]>('SELECT platform_events_place($1) AS placed', [
        MAX_AT_ONCE,
      ]);
      if (placed) await this.broadcast.publish(EVENTS_PLACED, ['']);
    } while (placed === MAX_AT_ONCE);
  }

  /**
   * Starts `placeEvents` in the background. Events that arrive while it runs get their positions
   * together in the next run.
   */
  private startPlacing(): void {
    this.isWanted = true;
    this.placing ??= this.placeAndLogErrors().finally(() => {
      this.placing = undefined;
      if (this.isWanted && !this.isStopped) this.startPlacing();
    });
  }

  private async placeAndLogErrors(): Promise<void> {
    this.isWanted = false;
    await this.placeEvents().catch((error: unknown) =>
      this.logger.warn({ err: error }, 'events could not get positions; the next event tries again'),
    );
  }
}
