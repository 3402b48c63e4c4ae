import { Module, type DynamicModule } from '@nestjs/common';
import type { Config } from '../config.js';
import { ExtensionCache } from './cache/extension-cache.js';
import { DeployedApps } from './deployed/deployed-apps.service.js';
import { Egress } from '@platform/egress';
import { EVENT_QUOTA_BYTES, EventBus } from './event-bus/event-bus.service.js';
import { GatewayModule } from './gateway/gateway.module.js';
import { AppLogs } from './logs/host-app-logs.service.js';
import { SecretJobs } from './secrets/secret-reseal.worker.js';
import { SECRET_KEYRING, SecretVault } from './secrets/secret-vault.service.js';
import { DEFAULT_STORE_LIMITS, DocumentStore, STORE_LIMITS } from './store/document-store.js';
import { ProcessedEvents } from './store/processed-events.repository.js';

/** Parts that all other modules use: the gateway, outgoing requests, and stored data of apps. */
@Module({})
export class KernelModule {
  static register(config: Config): DynamicModule {
    return {
      module: KernelModule,
      imports: [GatewayModule.register(config)],
      providers: [
        { provide: STORE_LIMITS, useValue: DEFAULT_STORE_LIMITS },
        { provide: SECRET_KEYRING, useValue: config.SECRET_KEYS },
        { provide: EVENT_QUOTA_BYTES, useValue: config.EVENT_QUOTA_MB * 1024 * 1024 },
        { provide: Egress, useFactory: () => new Egress({ allow: config.EGRESS_ALLOW }) },
        AppLogs,
        DeployedApps,
        DocumentStore,
        EventBus,
        ExtensionCache,
        ProcessedEvents,
        SecretJobs,
        SecretVault,
      ],
      exports: [
        SECRET_KEYRING,
        AppLogs,
        DeployedApps,
        DocumentStore,
        Egress,
        EventBus,
        ExtensionCache,
        ProcessedEvents,
        SecretVault,
      ],
    };
  }
}
