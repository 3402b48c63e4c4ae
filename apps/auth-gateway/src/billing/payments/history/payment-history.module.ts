import { Module } from '@nestjs/common';
import { OpenPayments } from './open-payments.service.js';
import { PaymentHistory } from './payment-history.service.js';
import { PaymentHistoryController } from './payment-history.controller.js';

@Module({
  controllers: [PaymentHistoryController],
  providers: [OpenPayments, PaymentHistory],
  exports: [PaymentHistory],
})
export class PaymentHistoryModule {}
