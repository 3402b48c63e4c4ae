import { Module } from '@nestjs/common';
import { CardsModule } from './cards/cards.module.js';
import { PaymentHistoryModule } from './history/payment-history.module.js';
import { PaymentMailsModule } from './mails/payment-mails.module.js';
import { PortalModule } from './portal/portal.module.js';
import { ProviderEventsModule } from './provider-events/provider-events.module.js';
import { PaymentsByStripe } from './provider/payments-by-stripe.module.js';
import { PaymentSweepsModule } from './sweeps/payment-sweeps.module.js';
import { TopupsModule } from './topups/topups.module.js';

/** What users pay. */
@Module({
  imports: [
    CardsModule,
    PaymentHistoryModule,
    PaymentsByStripe,
    PaymentMailsModule,
    PaymentSweepsModule,
    PortalModule,
    ProviderEventsModule,
    TopupsModule,
  ],
})
export class PaymentsOfUsersModule {}
