import { Module } from '@nestjs/common';
import { AutoTopUpSweep } from './auto-topup-sweep.js';
import { AutoTopUpController } from './auto-topup.controller.js';
import { AutoTopUpsOfUsers } from './auto-topups-of-users.js';

@Module({
  controllers: [AutoTopUpController],
  providers: [AutoTopUpsOfUsers, AutoTopUpSweep],
  exports: [AutoTopUpsOfUsers],
})
export class AutoTopUpModule {}
