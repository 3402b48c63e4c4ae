import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { WorkerHeartbeats } from '@platform/persistence';
import { LOGGER, newId, ReadinessService } from '@platform/platform';
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { Gauge, Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { JobsService, RUN_WORKERS } from './jobs.service.js';

export const WORKERS_OFF_AFTER_SECONDS = Symbol('WORKERS_OFF_AFTER_SECONDS');

const BEAT_MS = 10_000;

/**
 * Workers report that they run, and every process of the service shows it if none does: in the
 * metric `worker_last_seen_seconds`, and in the notes of `/readyz`. The service stays ready,
 * because it answers requests without workers; if it were taken out of service, requests would fail
 * too.
 */
@Injectable()
export class WorkerWatchService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly seen: WorkerHeartbeats;
  /** Name of this process in `seen_workers`. */
  readonly instance = `${hostname()}:${process.pid}:${newId('worker')}`;
  private readonly startedAt = performance.now();
  private timer: NodeJS.Timeout | undefined;
  private beating: Promise<void> | undefined;

  constructor(
    dataSource: DataSource,
    private readonly jobs: JobsService,
    @Inject(RUN_WORKERS) private readonly runWorkers: boolean,
    @Inject(WORKERS_OFF_AFTER_SECONDS) private readonly offAfterSeconds: number,
    @Inject(LOGGER) private readonly logger: Logger,
    readiness: ReadinessService,
    registry: Registry,
  ) {
    this.seen = new WorkerHeartbeats(dataSource);
    readiness.addNote({ name: 'workers', read: () => this.describe() });
    const secondsSinceLast = () => this.secondsSinceLast();
    new Gauge({
      name: 'worker_last_seen_seconds',
      help: 'Seconds since a worker of this service was last seen; if none ever was, seconds for which this process has waited for one',
      registers: [registry],
      async collect() {
        this.set(await secondsSinceLast());
      },
    });
  }

  onApplicationBootstrap(): void {
    if (!this.runWorkers) return;
    this.beat();
    this.timer = setInterval(() => this.beat(), BEAT_MS).unref();
  }

  /**
   * Ends the reports of this worker, and keeps the last one. It becomes outdated, so the other
   * processes notice if no worker is left.
   */
  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.beating;
  }

  private beat(): void {
    if (this.beating || !this.jobs.isWorking) return;
    this.beating = this.seen
      .recordHeartbeat(this.instance)
      .catch((error: unknown) =>
        this.logger.warn({ err: error }, 'could not report that this worker runs; trying again'),
      )
      .finally(() => (this.beating = undefined));
  }

  private async secondsSinceLast(): Promise<number> {
    return (await this.seen.secondsSinceLastHeartbeat()) ?? (performance.now() - this.startedAt) / 1000;
  }

  private async describe(): Promise<string> {
    const seconds = await this.secondsSinceLast();
    if (seconds < this.offAfterSeconds) return 'ok';
    return `No worker has been seen for ${Math.floor(seconds)} s, so jobs wait. Run worker.js of this service, or set WORKERS=inline.`;
  }
}
