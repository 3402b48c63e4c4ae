import { Module } from '@nestjs/common';
import { ProviderEventsModule } from '../provider-events/provider-events.module.js';
import { PaymentRefundsService } from './payment-refunds.service.js';
import { RefundChecksWorker } from './refund-checks.worker.js';
import { RefundsController } from './refunds.controller.js';

@Module({
  imports: [ProviderEventsModule],
  controllers: [RefundsController],
  providers: [PaymentRefundsService, RefundChecksWorker],
})
export class RefundsModule {}
