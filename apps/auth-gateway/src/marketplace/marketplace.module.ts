import { Module } from '@nestjs/common';
import { AppHealthModule } from './health/app-health.module.js';
import { ListingsModule } from './listings/listings.module.js';
import { ReviewsModule } from './reviews/reviews.module.js';

/** Listings, health and reviews of apps. */
@Module({ imports: [AppHealthModule, ListingsModule, ReviewsModule] })
export class MarketplaceModule {}
