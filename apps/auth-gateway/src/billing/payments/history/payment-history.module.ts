import { Module } from '@nestjs/common';
import { OpenPaymentsService } from './open-payments.service.js';
import { PaymentHistoryService } from './payment-history.service.js';
import { PaymentHistoryController } from './payment-history.controller.js';

@Module({
  controllers: [PaymentHistoryController],
  providers: [OpenPaymentsService, PaymentHistoryService],
  exports: [PaymentHistoryService],
})
export class PaymentHistoryModule {}
