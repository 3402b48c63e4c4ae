import { Module } from '@nestjs/common';
import { MarketplaceAppsController } from './apps/marketplace-apps.controller.js';
import { MarketplaceApps } from './apps/marketplace-apps.service.js';

/** What can be installed, who has it, and what they think of it. */
@Module({
  controllers: [MarketplaceAppsController],
  providers: [MarketplaceApps],
})
export class MarketplaceModule {}
