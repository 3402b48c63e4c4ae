import { Module } from '@nestjs/common';
import { DeveloperModule } from '../apps/developer/developer.module.js';
import { EventsModule } from '../extensions/events/events.module.js';
import { ExtensionsModule } from '../extensions/extensions.module.js';
import { IdentityModule } from '../identity/identity.module.js';
import { NotificationsModule } from '../extensions/notifications/notifications.module.js';
import { RegistryModule } from '../kernel/peers/registry/registry.module.js';
import { MarketplaceAppsController } from './listings/marketplace-apps.controller.js';
import { MarketplaceApps } from './listings/marketplace-apps.service.js';
import { ReviewsController } from './reviews/reviews.controller.js';
import { Reviews } from './reviews/reviews.service.js';

/** What can be installed, who has it, and what they think of it. */
@Module({
  imports: [DeveloperModule, EventsModule, ExtensionsModule, IdentityModule, NotificationsModule, RegistryModule],
  controllers: [MarketplaceAppsController, ReviewsController],
  providers: [MarketplaceApps, Reviews],
})
export class MarketplaceModule {}
