import { Module } from '@nestjs/common';
import { LedgerModule } from '@platform/billing';
import { UserTopUpsService } from './user-topups.service.js';
import { TopupsController } from './topups.controller.js';

@Module({
  imports: [LedgerModule],
  controllers: [TopupsController],
  providers: [UserTopUpsService],
  exports: [UserTopUpsService],
})
export class TopupsModule {}
