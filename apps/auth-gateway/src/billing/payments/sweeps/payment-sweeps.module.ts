import { Module } from '@nestjs/common';
import { ProviderEventsModule } from '../provider-events/provider-events.module.js';
import { BalanceComparisons } from './balance-comparisons.worker.js';
import { PaymentReconciliation } from './payment-reconciliation.service.js';
import { PaymentSweeps } from './payment-sweeps.worker.js';

@Module({ imports: [ProviderEventsModule], providers: [BalanceComparisons, PaymentReconciliation, PaymentSweeps] })
export class PaymentSweepsModule {}
