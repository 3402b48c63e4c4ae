import { Module } from '@nestjs/common';
import { AppPricesModule } from '../../apps/prices/app-prices.module.js';
import { OwnAppsModule } from '../../apps/own-apps/own-apps.module.js';
import { ProvisioningModule } from '../../identity/provisioning/provisioning.module.js';
import { ExtensionHostModule } from '../../kernel/peers/extension-host/extension-host.module.js';
import { RegistryModule } from '../../kernel/peers/registry/registry.module.js';
import { EventsModule } from '../events/events.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { ConsentsService } from './consents.service.js';
import { DocumentPurgesService } from './document-purges.service.js';
import { InstallCopiesService } from './install-copies.service.js';
import { InstallEventsService } from './install-events.service.js';
import { InstallFeedService } from './install-feed.service.js';
import { InstallsWorker } from './installs.worker.js';
import { InstallsController } from './installs.controller.js';
import { InstallsService } from './installs.service.js';
import { PlatformAppsService } from './platform-apps.service.js';

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
    ConsentsService,
    DocumentPurgesService,
    InstallCopiesService,
    InstallEventsService,
    InstallFeedService,
    InstallsWorker,
    InstallsService,
    PlatformAppsService,
  ],
  exports: [InstallCopiesService],
})
export class InstallsModule {}
