import { EarningsModule, PayoutsModule } from '@platform/billing';
import { Module } from '@nestjs/common';
import { MailModule } from '../../identity/mail/mail.module.js';
import { PasswordChangesModule } from '../../identity/password-changes/password-changes.module.js';
import { AdminPayoutsController } from './admin-payouts.controller.js';
import { AdminPayoutsService } from './admin-payouts.service.js';
import { CommissionBookingWorker } from './commission-booking.worker.js';
import { DeveloperEarningsService } from './developer-earnings.service.js';
import { DeveloperPayoutsService } from './developer-payouts.service.js';
import { EarningsController } from './earnings.controller.js';
import { PayoutDestinationsController } from './payout-destinations.controller.js';
import { PayoutDestinationsService } from './payout-destinations.service.js';
import { PayoutsController } from './payouts.controller.js';

/** Earnings of developers from calls of their apps, and payouts. */
@Module({
  imports: [EarningsModule, MailModule, PasswordChangesModule, PayoutsModule],
  controllers: [AdminPayoutsController, EarningsController, PayoutDestinationsController, PayoutsController],
  providers: [
    AdminPayoutsService,
    CommissionBookingWorker,
    DeveloperEarningsService,
    DeveloperPayoutsService,
    PayoutDestinationsService,
  ],
})
export class AppEarningsModule {}
