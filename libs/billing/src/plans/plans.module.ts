import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module.js';
import { PaidSubscriptions } from './paid-subscriptions.service.js';
import { PlanGrants } from './plan-grants.service.js';
import { PlanNotices } from './plan-notices.service.js';
import { Plans } from './plans.repository.js';
import { Subscriptions } from './subscriptions.service.js';

@Module({
  imports: [LedgerModule],
  providers: [PaidSubscriptions, PlanGrants, PlanNotices, Plans, Subscriptions],
  exports: [PaidSubscriptions, PlanGrants, PlanNotices, Plans, Subscriptions],
})
export class PlansModule {}
