import { Module, type DynamicModule } from '@nestjs/common';
import { GuardsModule } from '@platform/guards';
import { MessagingModule } from '@platform/messaging';
import { PersistenceModule } from '@platform/persistence';
import { AppDataModule } from './app-data/app-data.module.js';
import type { Config } from './config.js';
import { ContextModule } from './context/context.module.js';
import { database } from './database.js';
import { DocumentsModule } from './documents/documents.module.js';
import { HostEventsModule } from './events/host-events.module.js';
import { HostKernelModule } from './kernel/host-kernel.module.js';
import { HostMaintenanceWorker } from './maintenance/host-maintenance.worker.js';
import { RunsModule } from './runs/runs.module.js';
import { RuntimesModule } from './runs/runtimes.module.js';
import { RuntimeFeedModule } from './runtime-feed/runtime-feed.module.js';
import { SchedulesModule } from './schedules/schedules.module.js';
import { SmokeTestsModule } from './smoke/smoke-tests.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

@Module({})
export class HostAppModule {
  static register(config: Config): DynamicModule {
    const db = database(config.DATABASE_URL, config.DATABASE_POOL_SIZE);
    const kernel = HostKernelModule.register(config);
    const documents = DocumentsModule.withKernel(kernel);
    const runtimes = RuntimesModule.register(config);
    const runs = RunsModule.withModules(kernel, ContextModule.register(config, kernel), documents, runtimes);
    const schedules = SchedulesModule.withRuns(runs);
    const events = HostEventsModule.withRuns(runs);
    return {
      module: HostAppModule,
      imports: [
        PersistenceModule.register(db),
        MessagingModule.register({
          schema: db.schema,
          databaseUrl: config.DATABASE_URL,
          redisUrl: config.REDIS_URL,
          runWorkers: config.WORKERS === 'inline',
          workersOffAfterSeconds: config.WORKERS_OFF_AFTER_SECONDS,
        }),
        GuardsModule.register({ serviceTokens: config.SERVICE_TOKENS, servicePermissions: config.SERVICE_PERMISSIONS }),
        runs,
        AppDataModule.withKernel(kernel, documents),
        SmokeTestsModule.withRuntimes(runtimes),
        WebhooksModule.withRuns(runs),
        schedules,
        events,
        RuntimeFeedModule.withFeatures(runs, schedules, events),
      ],
      providers: [HostMaintenanceWorker],
    };
  }
}
