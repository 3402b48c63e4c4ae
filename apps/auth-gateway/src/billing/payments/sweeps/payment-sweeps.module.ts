import { Module } from '@nestjs/common';
import { ProviderEventsModule } from '../provider-events/provider-events.module.js';
import { PaymentReconciliation } from './payment-reconciliation.js';
import { PaymentSweeps } from './payment-sweeps.js';

/** What finds out about payments of which nobody told. */
@Module({ imports: [ProviderEventsModule], providers: [PaymentReconciliation, PaymentSweeps] })
export class PaymentSweepsModule {}
