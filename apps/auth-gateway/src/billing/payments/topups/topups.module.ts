import { Module } from '@nestjs/common';
import { LedgerModule } from '@platform/billing';
import { TopupsOfUsers } from './user-topups.service.js';
import { TopupsController } from './topups.controller.js';

@Module({
  imports: [LedgerModule],
  controllers: [TopupsController],
  providers: [TopupsOfUsers],
  exports: [TopupsOfUsers],
})
export class TopupsModule {}
