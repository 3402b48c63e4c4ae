import { Module, type DynamicModule } from '@nestjs/common';
import { ExtensionCache } from '../kernel/cache/extension-cache.service.js';
import type { Config } from '../config.js';
import { Egress } from '../kernel/egress/egress.js';
import { SECRET_KEYRING, SecretVault } from '../kernel/secrets/secret-vault.service.js';
import { DEFAULT_STORE_LIMITS, DocumentStore, STORE_LIMITS } from '../kernel/store/document-store.service.js';
import { ProcessedEvents } from '../kernel/store/processed-events.js';

/** What the context of a run is made of. */
@Module({})
export class ContextModule {
  static register({ SECRET_KEYS, EGRESS_ALLOW }: Config): DynamicModule {
    return {
      module: ContextModule,
      providers: [
        { provide: STORE_LIMITS, useValue: DEFAULT_STORE_LIMITS },
        { provide: SECRET_KEYRING, useValue: SECRET_KEYS },
        { provide: Egress, useFactory: () => new Egress({ allow: EGRESS_ALLOW }) },
        DocumentStore,
        ProcessedEvents,
        SecretVault,
        ExtensionCache,
      ],
      exports: [SECRET_KEYRING, Egress, DocumentStore, ProcessedEvents, SecretVault, ExtensionCache],
    };
  }
}
