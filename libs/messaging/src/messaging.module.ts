import { Global, Module, type DynamicModule } from '@nestjs/common';
import { LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { JobsService, RUN_WORKERS } from './jobs.service.js';
import { MaintenanceTasksService } from './maintenance-tasks.service.js';
import { BroadcastService } from './broadcast.service.js';
import { QueueEngine, type QueueEngineOptions } from './queue-engine.js';
import { WORKERS_OFF_AFTER_SECONDS, WorkerWatchService } from './worker-watch.service.js';

export interface MessagingOptions extends QueueEngineOptions {
  /** True if this process runs the jobs; false if it only enqueues them. */
  runWorkers: boolean;
  /** Seconds without a report of a worker until the notes of `/readyz` say so. */
  workersOffAfterSeconds: number;
}

/**
 * Provides `JobsService`, `MaintenanceTasksService` and `BroadcastService` to a service. Needs
 * `PersistenceModule`.
 */
@Global()
@Module({})
export class MessagingModule {
  static register({ runWorkers, workersOffAfterSeconds, ...engine }: MessagingOptions): DynamicModule {
    return {
      module: MessagingModule,
      providers: [
        { provide: RUN_WORKERS, useValue: runWorkers },
        { provide: WORKERS_OFF_AFTER_SECONDS, useValue: workersOffAfterSeconds },
        {
          provide: QueueEngine,
          useFactory: (logger: Logger) =>
            new QueueEngine(engine, (error) => logger.warn({ err: error }, 'queue connection')),
          inject: [LOGGER],
        },
        JobsService,
        MaintenanceTasksService,
        BroadcastService,
        WorkerWatchService,
      ],
      exports: [JobsService, MaintenanceTasksService, BroadcastService, QueueEngine],
    };
  }
}
