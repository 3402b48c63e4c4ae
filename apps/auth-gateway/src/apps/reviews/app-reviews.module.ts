import { Module } from '@nestjs/common';
import { DeploySagaModule } from '../deploys/saga/deploy-saga.module.js';
import { VersionsModule } from '../deploys/versions/versions.module.js';
import { OwnAppsModule } from '../own-apps/own-apps.module.js';
import { AdminAppsController } from './admin-apps.controller.js';
import { AppReviewsService } from './app-reviews.service.js';
import { AppSubmissionsController } from './app-submissions.controller.js';
import { AppSubmissionsService } from './app-submissions.service.js';

/** Reviews, after which apps enter the marketplace. */
@Module({
  imports: [DeploySagaModule, OwnAppsModule, VersionsModule],
  controllers: [AdminAppsController, AppSubmissionsController],
  providers: [AppReviewsService, AppSubmissionsService],
  exports: [AppSubmissionsService],
})
export class AppReviewsModule {}
