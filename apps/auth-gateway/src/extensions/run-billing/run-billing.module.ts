import { Module } from '@nestjs/common';
import { LedgerModule, UsageModule } from '@platform/billing';
import { UserPlansModule } from '../../billing/plans/user-plans.module.js';
import { RunGrantsModule } from '../run-grants/run-grants.module.js';
import { RunBillingController } from './run-billing.controller.js';
import { RunBillingService } from './run-billing.service.js';

@Module({
  imports: [LedgerModule, UserPlansModule, RunGrantsModule, UsageModule],
  controllers: [RunBillingController],
  providers: [RunBillingService],
})
export class RunBillingModule {}
