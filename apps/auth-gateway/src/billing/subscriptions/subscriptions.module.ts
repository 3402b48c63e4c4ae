import { Module } from '@nestjs/common';
import { PlansModule } from '@platform/billing';
import { MailModule } from '../../identity/mail/mail.module.js';
import { UserPlansModule } from '../plans/user-plans.module.js';
import { CheckoutsService } from './checkouts.service.js';
import { PlanChangesService } from './plan-changes.service.js';
import { PlanSalesService } from './plan-sales.service.js';
import { RenewalsWorker } from './renewals.worker.js';
import { RenewalsService } from './renewals.service.js';
import { SubscriptionMailsService } from './subscription-mails.service.js';
import { SubscriptionsController } from './subscriptions.controller.js';

@Module({
  imports: [MailModule, PlansModule, UserPlansModule],
  controllers: [SubscriptionsController],
  providers: [
    CheckoutsService,
    PlanChangesService,
    PlanSalesService,
    RenewalsWorker,
    RenewalsService,
    SubscriptionMailsService,
  ],
  exports: [PlanChangesService, PlanSalesService],
})
export class SubscriptionsModule {}
