import { Module } from '@nestjs/common';
import { DeploySagaModule } from '../deploys/saga/deploy-saga.module.js';
import { AppDeletions } from './app-deletions.service.js';
import { AppWebhooks } from './app-webhooks.service.js';
import { AppWriter } from './app-updates.service.js';
import { AppsController } from './apps.controller.js';
import { Apps } from './apps.service.js';

/** Apps of developers. */
@Module({
  imports: [DeploySagaModule],
  controllers: [AppsController],
  providers: [AppDeletions, AppWebhooks, AppWriter, Apps],
  exports: [AppDeletions, AppWebhooks, AppWriter, Apps],
})
export class OwnAppsModule {}
