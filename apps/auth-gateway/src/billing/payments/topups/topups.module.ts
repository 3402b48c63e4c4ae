import { Module } from '@nestjs/common';
import { LedgerModule } from '@platform/billing';
import { TopupsOfUsers } from './topups-of-users.js';
import { TopupsController } from './topups.controller.js';

@Module({
  imports: [LedgerModule],
  controllers: [TopupsController],
  providers: [TopupsOfUsers],
  exports: [TopupsOfUsers],
})
export class TopupsModule {}
