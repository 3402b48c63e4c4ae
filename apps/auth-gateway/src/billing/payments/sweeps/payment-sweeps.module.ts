import { Module } from '@nestjs/common';
import { ProviderEventsModule } from '../provider-events/provider-events.module.js';
import { BalanceComparisons } from './balance-comparisons.js';
import { PaymentReconciliation } from './payment-reconciliation.js';
import { PaymentSweeps } from './payment-sweeps.js';

@Module({ imports: [ProviderEventsModule], providers: [BalanceComparisons, PaymentReconciliation, PaymentSweeps] })
export class PaymentSweepsModule {}
