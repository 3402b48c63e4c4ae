import { Module } from '@nestjs/common';
import { AutoTopUpModule } from './auto-topup/auto-topup.module.js';
import { CardsModule } from './cards/cards.module.js';
import { PaymentHistoryModule } from './history/payment-history.module.js';
import { ProviderEventsModule } from './provider-events/provider-events.module.js';
import { PaymentsByStripe } from './provider/payments-by-stripe.module.js';
import { PaymentSweepsModule } from './sweeps/payment-sweeps.module.js';
import { TopupsModule } from './topups/topups.module.js';

/** What users pay. */
@Module({
  imports: [AutoTopUpModule, CardsModule, PaymentHistoryModule, PaymentsByStripe, PaymentSweepsModule, ProviderEventsModule, TopupsModule],
})
export class PaymentsOfUsersModule {}
