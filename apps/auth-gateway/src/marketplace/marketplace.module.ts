import { Module } from '@nestjs/common';
import { ListingsModule } from './listings/listings.module.js';
import { ReviewsModule } from './reviews/reviews.module.js';

/** What can be installed, and what users think of it. */
@Module({ imports: [ListingsModule, ReviewsModule] })
export class MarketplaceModule {}
