import { Module } from '@nestjs/common';
import { DeveloperModule } from '../developer/developer.module.js';
import { EventsModule } from '../events/events.module.js';
import { ExtensionsModule } from '../extensions/extensions.module.js';
import { IdentityModule } from '../identity.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { RegistryModule } from '../registry/registry.module.js';
import { MarketplaceAppsController } from './apps/marketplace-apps.controller.js';
import { MarketplaceApps } from './apps/marketplace-apps.service.js';
import { Consents } from './installs/consents.js';
import { InstallEvents } from './installs/install-events.js';
import { InstallFeed } from './installs/install-feed.js';
import { InstallWorker } from './installs/install-worker.js';
import { InstallsController } from './installs/installs.controller.js';
import { Installs } from './installs/installs.service.js';
import { PlatformApps } from './installs/platform-apps.js';
import { ReviewsController } from './reviews/reviews.controller.js';
import { Reviews } from './reviews/reviews.service.js';

/** What can be installed, who has it, and what they think of it. */
@Module({
  imports: [DeveloperModule, EventsModule, ExtensionsModule, IdentityModule, NotificationsModule, RegistryModule],
  controllers: [MarketplaceAppsController, InstallsController, ReviewsController],
  providers: [Consents, MarketplaceApps, InstallEvents, InstallFeed, Installs, InstallWorker, PlatformApps, Reviews],
})
export class MarketplaceModule {}
