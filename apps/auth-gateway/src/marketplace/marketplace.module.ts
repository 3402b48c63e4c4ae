import { Module } from '@nestjs/common';
import { DeveloperModule } from '../apps/developer/developer.module.js';
import { EventsModule } from '../extensions/events/events.module.js';
import { ExtensionsModule } from '../extensions/extensions.module.js';
import { IdentityModule } from '../identity/identity.module.js';
import { NotificationsModule } from '../extensions/notifications/notifications.module.js';
import { RegistryModule } from '../kernel/peers/registry/registry.module.js';
import { MarketplaceAppsController } from './listings/marketplace-apps.controller.js';
import { MarketplaceApps } from './listings/marketplace-apps.service.js';
import { Consents } from '../extensions/installs/consents.js';
import { InstallEvents } from '../extensions/installs/install-events.js';
import { InstallFeed } from '../extensions/installs/install-feed.js';
import { InstallWorker } from '../extensions/installs/install-worker.js';
import { InstallsController } from '../extensions/installs/installs.controller.js';
import { Installs } from '../extensions/installs/installs.service.js';
import { PlatformApps } from '../extensions/installs/platform-apps.js';
import { ReviewsController } from './reviews/reviews.controller.js';
import { Reviews } from './reviews/reviews.service.js';

/** What can be installed, who has it, and what they think of it. */
@Module({
  imports: [DeveloperModule, EventsModule, ExtensionsModule, IdentityModule, NotificationsModule, RegistryModule],
  controllers: [MarketplaceAppsController, InstallsController, ReviewsController],
  providers: [Consents, MarketplaceApps, InstallEvents, InstallFeed, Installs, InstallWorker, PlatformApps, Reviews],
})
export class MarketplaceModule {}
