import { Module } from '@nestjs/common';
import { AccountDeletionModule } from './account-deletion/account-deletion.module.js';
import { EventPositionsModule } from './events/event-positions.module.js';
import { IdempotencyModule } from './idempotency/idempotency.module.js';
import { ExtensionHostModule } from './peers/extension-host/extension-host.module.js';
import { RegistryModule } from './peers/registry/registry.module.js';
import { SchemasModule } from './json-schemas/schemas.module.js';

/** Modules that all other groups of the gateway can use. */
@Module({
  imports: [
    AccountDeletionModule,
    EventPositionsModule,
    ExtensionHostModule,
    IdempotencyModule,
    RegistryModule,
    SchemasModule,
  ],
})
export class KernelModule {}
