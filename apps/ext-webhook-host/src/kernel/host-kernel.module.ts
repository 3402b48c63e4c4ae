import { Module, type DynamicModule } from '@nestjs/common';
import type { Config } from '../config.js';
import { ExtensionCache } from './cache/extension-cache.js';
import { DeployedAppsService } from './deployed/deployed-apps.service.js';
import { Egress } from '@platform/egress';
import { EVENT_QUOTA_BYTES, EventBusService } from './event-bus/event-bus.service.js';
import { GatewayModule } from './gateway/gateway.module.js';
import { HostAppLogsService } from './logs/host-app-logs.service.js';
import { SecretResealWorker } from './secrets/secret-reseal.worker.js';
import { SECRET_KEYRING, SecretVaultService } from './secrets/secret-vault.service.js';
import { DEFAULT_STORE_LIMITS, DocumentStore, STORE_LIMITS } from './store/document-store.js';
import { ProcessedEventsRepository } from './store/processed-events.repository.js';

/** Parts that all other modules use: the gateway, outgoing requests, and stored data of apps. */
@Module({})
export class HostKernelModule {
  static register(config: Config): DynamicModule {
    return {
      module: HostKernelModule,
      imports: [GatewayModule.register(config)],
      providers: [
        { provide: STORE_LIMITS, useValue: DEFAULT_STORE_LIMITS },
        { provide: SECRET_KEYRING, useValue: config.SECRET_KEYS },
        { provide: EVENT_QUOTA_BYTES, useValue: config.EVENT_QUOTA_MB * 1024 * 1024 },
        { provide: Egress, useFactory: () => new Egress({ allow: config.EGRESS_ALLOW }) },
        HostAppLogsService,
        DeployedAppsService,
        DocumentStore,
        EventBusService,
        ExtensionCache,
        ProcessedEventsRepository,
        SecretResealWorker,
        SecretVaultService,
      ],
      exports: [
        SECRET_KEYRING,
        HostAppLogsService,
        DeployedAppsService,
        DocumentStore,
        Egress,
        EventBusService,
        ExtensionCache,
        ProcessedEventsRepository,
        SecretVaultService,
      ],
    };
  }
}
