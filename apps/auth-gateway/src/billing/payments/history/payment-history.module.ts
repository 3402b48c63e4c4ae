import { Module } from '@nestjs/common';
import { PaymentHistory } from './payment-history.js';
import { PaymentHistoryController } from './payment-history.controller.js';

/** What users have paid. */
@Module({ controllers: [PaymentHistoryController], providers: [PaymentHistory], exports: [PaymentHistory] })
export class PaymentHistoryModule {}
