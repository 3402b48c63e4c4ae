import { Module } from '@nestjs/common';
import { PaymentErasure } from './payment-erasure.js';

/** Cards and payments of users who are erased. */
@Module({ providers: [PaymentErasure] })
export class PaymentErasureModule {}
