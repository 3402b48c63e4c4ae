import { Module } from '@nestjs/common';
import { AutoTopUpWorker } from './auto-topup.worker.js';
import { AutoTopUpController } from './auto-topup.controller.js';
import { UserAutoTopUpsService } from './user-auto-topups.service.js';

@Module({
  controllers: [AutoTopUpController],
  providers: [UserAutoTopUpsService, AutoTopUpWorker],
  exports: [UserAutoTopUpsService],
})
export class AutoTopUpModule {}
