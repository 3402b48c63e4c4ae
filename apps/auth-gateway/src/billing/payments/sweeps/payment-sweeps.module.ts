import { Module } from '@nestjs/common';
import { ProviderEventsModule } from '../provider-events/provider-events.module.js';
import { BalanceComparisonsWorker } from './balance-comparisons.worker.js';
import { PaymentReconciliationService } from './payment-reconciliation.service.js';
import { PaymentSweepsWorker } from './payment-sweeps.worker.js';

@Module({
  imports: [ProviderEventsModule],
  providers: [BalanceComparisonsWorker, PaymentReconciliationService, PaymentSweepsWorker],
})
export class PaymentSweepsModule {}
