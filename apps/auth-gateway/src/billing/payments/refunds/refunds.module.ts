import { Module } from '@nestjs/common';
import { ProviderEventsModule } from '../provider-events/provider-events.module.js';
import { PaymentRefunds } from './payment-refunds.service.js';
import { RefundSignals } from './refund-checks.worker.js';
import { RefundsController } from './refunds.controller.js';

@Module({
  imports: [ProviderEventsModule],
  controllers: [RefundsController],
  providers: [PaymentRefunds, RefundSignals],
})
export class RefundsModule {}
