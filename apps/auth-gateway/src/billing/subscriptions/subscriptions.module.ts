import { Module } from '@nestjs/common';
import { PlansModule } from '@platform/billing';
import { MailModule } from '../../identity/mail/mail.module.js';
import { PlansOfUsersModule } from '../plans/plans.module.js';
import { Checkouts } from './checkouts.js';
import { PlanChanges } from './plan-changes.js';
import { PlanSales } from './plan-sales.js';
import { RenewalSweep } from './renewal-sweep.js';
import { Renewals } from './renewals.js';
import { SubscriptionMails } from './subscription-mails.js';
import { SubscriptionsController } from './subscriptions.controller.js';

@Module({
  imports: [MailModule, PlansModule, PlansOfUsersModule],
  controllers: [SubscriptionsController],
  providers: [Checkouts, PlanChanges, PlanSales, RenewalSweep, Renewals, SubscriptionMails],
  exports: [PlanChanges, PlanSales],
})
export class SubscriptionsModule {}
