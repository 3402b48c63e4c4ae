import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module.js';
import { PaidSubscriptionsService } from './paid-subscriptions.service.js';
import { PlanGrantsService } from './plan-grants.service.js';
import { PlanNoticesService } from './plan-notices.service.js';
import { PlansRepository } from './plans.repository.js';
import { SubscriptionsService } from './subscriptions.service.js';

@Module({
  imports: [LedgerModule],
  providers: [PaidSubscriptionsService, PlanGrantsService, PlanNoticesService, PlansRepository, SubscriptionsService],
  exports: [PaidSubscriptionsService, PlanGrantsService, PlanNoticesService, PlansRepository, SubscriptionsService],
})
export class PlansModule {}
