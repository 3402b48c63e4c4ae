import { Module } from '@nestjs/common';
import { MarketplaceAppsController } from './marketplace-apps.controller.js';
import { MarketplaceApps } from './marketplace-apps.service.js';

/** Apps of the marketplace. */
@Module({ controllers: [MarketplaceAppsController], providers: [MarketplaceApps] })
export class ListingsModule {}
