import { EarningsModule, PayoutsModule } from '@platform/billing';
import { Module } from '@nestjs/common';
import { AdminPayoutsController } from './admin-payouts.controller.js';
import { AdminPayouts } from './admin-payouts.service.js';
import { CommissionBooking } from './commission-booking.js';
import { DeveloperEarnings } from './developer-earnings.service.js';
import { DeveloperPayouts } from './developer-payouts.service.js';
import { EarningsController } from './earnings.controller.js';
import { PayoutsController } from './payouts.controller.js';

/** What developers earn by calls of their apps, and are paid of it. */
@Module({
  imports: [EarningsModule, PayoutsModule],
  controllers: [AdminPayoutsController, EarningsController, PayoutsController],
  providers: [AdminPayouts, CommissionBooking, DeveloperEarnings, DeveloperPayouts],
})
export class AppEarningsModule {}
