import { EarningsModule, PayoutsModule } from '@platform/billing';
import { Module } from '@nestjs/common';
import { AdminPayoutsController } from './admin-payouts.controller.js';
import { CommissionBooking } from './commission-booking.js';
import { DeveloperEarnings } from './developer-earnings.service.js';
import { DeveloperPayouts } from './developer-payouts.service.js';
import { EarningsController } from './earnings.controller.js';
import { PayoutDecisions } from './payout-decisions.service.js';
import { PayoutsController } from './payouts.controller.js';

/** What developers earn by calls of their apps, and are paid of it. */
@Module({
  imports: [EarningsModule, PayoutsModule],
  controllers: [AdminPayoutsController, EarningsController, PayoutsController],
  providers: [CommissionBooking, DeveloperEarnings, DeveloperPayouts, PayoutDecisions],
})
export class AppEarningsModule {}
