import { Module } from '@nestjs/common';
import { AutoTopUpSweep } from './auto-topup.worker.js';
import { AutoTopUpController } from './auto-topup.controller.js';
import { AutoTopUpsOfUsers } from './user-auto-topups.service.js';

@Module({
  controllers: [AutoTopUpController],
  providers: [AutoTopUpsOfUsers, AutoTopUpSweep],
  exports: [AutoTopUpsOfUsers],
})
export class AutoTopUpModule {}
