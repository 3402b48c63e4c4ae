import { Module } from '@nestjs/common';
import { ActionsModule } from '../../extensions/actions/actions.module.js';
import { AppHealthController } from './app-health.controller.js';
import { AppHealthWorker } from './app-health.worker.js';
import { AppHealthService } from './app-health.service.js';

/** Health of apps, and notices to their developers. */
@Module({
  imports: [ActionsModule],
  controllers: [AppHealthController],
  providers: [AppHealthService, AppHealthWorker],
})
export class AppHealthModule {}
