import { Module } from '@nestjs/common';
import { MarketplaceAppsController } from './marketplace-apps.controller.js';
import { MarketplaceAppsService } from './marketplace-apps.service.js';

/** Apps of the marketplace. */
@Module({ controllers: [MarketplaceAppsController], providers: [MarketplaceAppsService] })
export class ListingsModule {}
