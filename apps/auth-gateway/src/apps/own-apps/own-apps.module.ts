import { Module } from '@nestjs/common';
import { DeploySagaModule } from '../deploys/saga/deploy-saga.module.js';
import { AppDeletionsService } from './app-deletions.service.js';
import { AppWebhooksService } from './app-webhooks.service.js';
import { AppUpdatesService } from './app-updates.service.js';
import { AppsController } from './apps.controller.js';
import { AppsService } from './apps.service.js';

/** Apps of developers. */
@Module({
  imports: [DeploySagaModule],
  controllers: [AppsController],
  providers: [AppDeletionsService, AppWebhooksService, AppUpdatesService, AppsService],
  exports: [AppDeletionsService, AppWebhooksService, AppUpdatesService, AppsService],
})
export class OwnAppsModule {}
