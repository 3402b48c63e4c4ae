import { Module } from '@nestjs/common';
import { MarketplaceAppsController } from './marketplace-apps.controller.js';
import { MarketplaceApps } from './marketplace-apps.service.js';

/** What can be installed. */
@Module({ controllers: [MarketplaceAppsController], providers: [MarketplaceApps] })
export class ListingsModule {}
