import { Module } from '@nestjs/common';
import { AppPricesModule } from '../../apps/prices/app-prices.module.js';
import { OwnAppsModule } from '../../apps/own-apps/own-apps.module.js';
import { ProvisioningModule } from '../../identity/provisioning/provisioning.module.js';
import { ExtensionHostModule } from '../../kernel/peers/extension-host/extension-host.module.js';
import { RegistryModule } from '../../kernel/peers/registry/registry.module.js';
import { EventsModule } from '../events/events.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { Consents } from './consents.service.js';
import { DocumentPurges } from './document-purges.service.js';
import { InstallCopies } from './install-copies.service.js';
import { InstallEvents } from './install-events.service.js';
import { InstallFeed } from './install-feed.service.js';
import { InstallWorker } from './installs.worker.js';
import { InstallsController } from './installs.controller.js';
import { Installs } from './installs.service.js';
import { PlatformApps } from './platform-apps.service.js';

/** Installations of apps, and the effects of their changes. */
@Module({
  imports: [
    AppPricesModule,
    OwnAppsModule,
    EventsModule,
    ExtensionHostModule,
    NotificationsModule,
    ProvisioningModule,
    RegistryModule,
  ],
  controllers: [InstallsController],
  providers: [
    Consents,
    DocumentPurges,
    InstallCopies,
    InstallEvents,
    InstallFeed,
    InstallWorker,
    Installs,
    PlatformApps,
  ],
  exports: [InstallCopies],
})
export class InstallsModule {}
