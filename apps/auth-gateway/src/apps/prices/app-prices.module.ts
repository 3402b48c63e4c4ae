import { Module } from '@nestjs/common';
import { AdminPricesController } from './admin-prices.controller.js';
import { AppPricesRepository } from './app-prices.repository.js';
import { PriceSyncsService } from './price-syncs.service.js';

/** Prices of apps. */
@Module({
  controllers: [AdminPricesController],
  providers: [AppPricesRepository, PriceSyncsService],
  exports: [AppPricesRepository],
})
export class AppPricesModule {}
