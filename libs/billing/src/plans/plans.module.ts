import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module.js';
import { PaidSubscriptions } from './paid-subscriptions.js';
import { PlanGrants } from './plan-grants.js';
import { PlanNotices } from './plan-notices.js';
import { Plans } from './plans.js';
import { Subscriptions } from './subscriptions.js';

@Module({
  imports: [LedgerModule],
  providers: [PaidSubscriptions, PlanGrants, PlanNotices, Plans, Subscriptions],
  exports: [PaidSubscriptions, PlanGrants, PlanNotices, Plans, Subscriptions],
})
export class PlansModule {}
