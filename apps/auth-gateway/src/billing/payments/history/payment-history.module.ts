import { Module } from '@nestjs/common';
import { OpenPayments } from './open-payments.js';
import { PaymentHistory } from './payment-history.js';
import { PaymentHistoryController } from './payment-history.controller.js';

@Module({
  controllers: [PaymentHistoryController],
  providers: [OpenPayments, PaymentHistory],
  exports: [PaymentHistory],
})
export class PaymentHistoryModule {}
