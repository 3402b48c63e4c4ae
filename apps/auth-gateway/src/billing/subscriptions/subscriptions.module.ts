import { Module } from '@nestjs/common';
import { PlansModule } from '@platform/billing';
import { MailModule } from '../../identity/mail/mail.module.js';
import { PlansOfUsersModule } from '../plans/user-plans.module.js';
import { Checkouts } from './checkouts.service.js';
import { PlanChanges } from './plan-changes.service.js';
import { PlanSales } from './plan-sales.service.js';
import { RenewalSweep } from './renewals.worker.js';
import { Renewals } from './renewals.service.js';
import { SubscriptionMails } from './subscription-mails.service.js';
import { SubscriptionsController } from './subscriptions.controller.js';

@Module({
  imports: [MailModule, PlansModule, PlansOfUsersModule],
  controllers: [SubscriptionsController],
  providers: [Checkouts, PlanChanges, PlanSales, RenewalSweep, Renewals, SubscriptionMails],
  exports: [PlanChanges, PlanSales],
})
export class SubscriptionsModule {}
