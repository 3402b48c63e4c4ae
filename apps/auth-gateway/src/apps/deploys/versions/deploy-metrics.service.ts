import { Injectable } from '@nestjs/common';
import type { DeployStatus } from '@platform/contracts';
import { ReadinessService } from '@platform/platform';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { IS_UNFINISHED } from './unfinished-deploys.js';

const BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800];

@Injectable()
export class DeployMetricsService {
  private readonly finishedTotal: Counter;
  private readonly servedSeconds: Histogram;
  private readonly releasedSeconds: Histogram;

  constructor(dataSource: DataSource, registry: Registry, readiness: ReadinessService) {
    const registers = [registry];
    this.finishedTotal = new Counter({
      name: 'deploys_finished_total',
      help: 'Ended deploys by status; a deploy that waits for a review also counts as waiting before',
      labelNames: ['status'],
      registers,
    });
    this.servedSeconds = new Histogram({
      name: 'deploy_served_seconds',
      help: 'Time from the request for a deploy without a review until the gateway serves the version',
      buckets: BUCKETS,
      registers,
    });
    this.releasedSeconds = new Histogram({
      name: 'deploy_released_seconds',
      help: 'Time from the request for a deploy, or from its approval, until the Registry serves the version too',
      buckets: BUCKETS,
      registers,
    });
    new Gauge({
      name: 'deploys_unfinished',
      help: 'Deploys in progress',
      registers,
      async collect() {
        const [row] = await dataSource.query<{ count: number; age: number }[]>(
          `SELECT count(*)::int AS count, coalesce(extract(epoch FROM now() - min(created_at)), 0)::float AS age
           FROM deploys WHERE ${IS_UNFINISHED}`,
        );
        this.set(row?.count ?? 0);
        oldest.set(row?.age ?? 0);
      },
    });
    const oldest = new Gauge({
      name: 'deploys_oldest_unfinished_seconds',
      help: 'Age of the oldest deploy in progress',
      registers,
    });
    new Gauge({
      name: 'apps_out_of_sync',
      help: 'Apps whose Registry record differs from the gateway in a way that a person must resolve',
      registers,
      async collect() {
        this.set(await countMismatches(dataSource));
      },
    });
    readiness.addNote({ name: 'apps_out_of_sync', read: () => countMismatches(dataSource) });
  }

  countFinished(status: DeployStatus, count = 1): void {
    this.finishedTotal.inc({ status }, count);
  }

  observeServed(seconds: number): void {
    this.servedSeconds.observe(seconds);
  }

  observeReleased(seconds: number): void {
    this.releasedSeconds.observe(seconds);
  }
}

async function countMismatches(dataSource: DataSource): Promise<number> {
  const [row] = await dataSource.query<{ count: number }[]>('SELECT count(*)::int AS count FROM app_mismatches');
  return row?.count ?? 0;
}
