import { Module } from '@nestjs/common';
import { PaymentErasure } from './payment-erasure.js';

@Module({ providers: [PaymentErasure] })
export class PaymentErasureModule {}
