import { Module } from '@nestjs/common';
import { LedgerModule, UsageModule } from '@platform/billing';
import { PlansOfUsersModule } from '../../billing/plans/user-plans.module.js';
import { RunGrantsModule } from '../run-grants/run-grants.module.js';
import { RunBillingController } from './run-billing.controller.js';
import { RunBilling } from './run-billing.service.js';

@Module({
  imports: [LedgerModule, PlansOfUsersModule, RunGrantsModule, UsageModule],
  controllers: [RunBillingController],
  providers: [RunBilling],
})
export class RunBillingModule {}
