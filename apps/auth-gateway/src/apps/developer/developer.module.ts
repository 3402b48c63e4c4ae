import { Module } from '@nestjs/common';
import { DeploysModule } from '../deploys/deploys.module.js';
import { NicknameController } from '../../identity/nicknames/nickname.controller.js';
import { Nicknames } from '../../identity/nicknames/nicknames.service.js';
import { AdminDevelopersController } from './accounts/admin-developers.controller.js';
import { AppAnalytics } from './analytics/app-analytics.service.js';
import { AppUsage } from './analytics/app-usage.js';
import { AppDeletions } from './apps/app-deletions.js';
import { AppWebhooks } from './apps/app-webhooks.js';
import { AppWriter } from './apps/app-writer.js';
import { AppsController } from './apps/apps.controller.js';
import { Apps } from './apps/apps.service.js';
import { DeveloperTiers } from './accounts/developer-tiers.service.js';
import { DevelopersController } from './accounts/developers.controller.js';
import { Developers } from './accounts/developers.service.js';
import { AdminAppsController } from './reviews/admin-apps.controller.js';
import { AppReviews } from './reviews/app-reviews.service.js';
import { AppSubmissions } from './reviews/app-submissions.service.js';

/** Who makes apps, their apps, and the review that puts them into the marketplace. */
@Module({
  imports: [DeploysModule],
  controllers: [AdminAppsController, AdminDevelopersController, AppsController, DevelopersController, NicknameController],
  providers: [
    AppAnalytics,
    AppDeletions,
    AppReviews,
    AppSubmissions,
    AppUsage,
    AppWebhooks,
    AppWriter,
    Apps,
    DeveloperTiers,
    Developers,
    Nicknames,
  ],
  exports: [AppDeletions, AppSubmissions, AppUsage, AppWebhooks, Apps, Developers],
})
export class DeveloperModule {}
