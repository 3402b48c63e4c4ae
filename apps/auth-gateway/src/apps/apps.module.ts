import { Module } from '@nestjs/common';
import { DeploysModule } from './deploys/deploys.module.js';
import { DeployDocumentsModule } from './deploys/documents/deploy-documents.module.js';
import { DeploySagaModule } from './deploys/saga/deploy-saga.module.js';
import { VersionsModule } from './deploys/versions/versions.module.js';
import { DevelopersModule } from './developers/developers.module.js';
import { AppAnalyticsModule } from './analytics/app-analytics.module.js';
import { AppEarningsModule } from './earnings/app-earnings.module.js';
import { OwnAppsModule } from './own-apps/own-apps.module.js';
import { AppOperationsModule } from './operations/app-operations.module.js';
import { AppPricesModule } from './prices/app-prices.module.js';
import { AppReviewsModule } from './reviews/app-reviews.module.js';

/** Developers, their apps and versions, earnings and reviews. */
@Module({
  imports: [
    AppAnalyticsModule,
    AppEarningsModule,
    AppOperationsModule,
    AppPricesModule,
    AppReviewsModule,
    DeployDocumentsModule,
    DeploySagaModule,
    DeploysModule,
    OwnAppsModule,
    DevelopersModule,
    VersionsModule,
  ],
})
export class AppsModule {}
