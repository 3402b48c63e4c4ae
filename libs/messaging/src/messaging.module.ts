import { Global, Module, type DynamicModule } from '@nestjs/common';
import { LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { Jobs, RUN_WORKERS } from './jobs.js';
import { Notifications } from './notifications.js';
import { QueueEngine, type QueueEngineOptions } from './queue-engine.js';

export interface MessagingOptions extends QueueEngineOptions {
  /** Whether this process runs the jobs, or only enqueues them. */
  runWorkers: boolean;
}

/** Gives a service its `Jobs`. Needs `PersistenceModule`. */
@Global()
@Module({})
export class MessagingModule {
  static register({ runWorkers, ...engine }: MessagingOptions): DynamicModule {
    return {
      module: MessagingModule,
      providers: [
        { provide: RUN_WORKERS, useValue: runWorkers },
        {
          provide: QueueEngine,
          useFactory: (logger: Logger) => new QueueEngine(engine, (error) => logger.warn({ err: error }, 'queue connection')),
          inject: [LOGGER],
        },
        Jobs,
        Notifications,
      ],
      exports: [Jobs, Notifications, QueueEngine],
    };
  }
}
