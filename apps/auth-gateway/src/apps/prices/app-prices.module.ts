import { Module } from '@nestjs/common';
import { AdminPricesController } from './admin-prices.controller.js';
import { AppPrices } from './app-prices.repository.js';
import { PriceSyncs } from './price-syncs.service.js';

/** Prices of apps. */
@Module({ controllers: [AdminPricesController], providers: [AppPrices, PriceSyncs], exports: [AppPrices] })
export class AppPricesModule {}
