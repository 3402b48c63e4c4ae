import { Module, type DynamicModule } from '@nestjs/common';
import type { Config } from '../config.js';
import { AppConfigs } from '../context/app-config.js';
import { ContextModule } from '../context/context.module.js';
import { PANEL_URL, RunContexts } from '../context/run-contexts.js';
import { AppDocuments } from '../documents/app-documents.service.js';
import { DeployedApps } from '../kernel/deployed/deployed-apps.service.js';
import { EVENT_QUOTA_BYTES, EventBus } from '../kernel/event-bus/event-bus.js';
import { RunEvents } from '../context/run-events.js';
import { GatewayModule } from '../kernel/gateway/gateway.module.js';
import { AppLogsController } from '../app-data/app-logs.controller.js';
import { AppLogs } from '../kernel/logs/app-logs.service.js';
import { AppSecretsController } from '../app-data/app-secrets.controller.js';
import { AppSecrets } from '../app-data/app-secrets.service.js';
import { Purges } from '../app-data/purges.js';
import { PurgesController } from '../app-data/purges.controller.js';
import { Denials } from '../context/denials.js';
import { AskedOfVersions } from './asked-of-versions.js';
import { ExtensionCalls } from './extension-calls.js';
import { RunsController } from './runs.controller.js';
import { Runs } from './runs.service.js';

/** Runs of apps, and what they leave for the people who made them. */
@Module({})
export class RunsModule {
  static register(config: Config, runtimes: DynamicModule): DynamicModule {
    return {
      module: RunsModule,
      imports: [ContextModule.register(config), GatewayModule.register(config), runtimes],
      controllers: [RunsController, AppLogsController, AppSecretsController, PurgesController],
      providers: [
        { provide: PANEL_URL, useValue: config.PANEL_URL },
        { provide: EVENT_QUOTA_BYTES, useValue: config.EVENT_QUOTA_MB * 1024 * 1024 },
        AppConfigs,
        AppDocuments,
        AppLogs,
        AppSecrets,
        Denials,
        DeployedApps,
        EventBus,
        AskedOfVersions,
        ExtensionCalls,
        Purges,
        RunContexts,
        RunEvents,
        Runs,
      ],
      exports: [PANEL_URL, ContextModule, AppDocuments, AppLogs, DeployedApps, EventBus, Runs],
    };
  }
}
