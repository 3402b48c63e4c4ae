import { Module } from '@nestjs/common';
import { AppPrices } from './app-prices.js';

/** What apps cost. */
@Module({ providers: [AppPrices], exports: [AppPrices] })
export class AppPricesModule {}
