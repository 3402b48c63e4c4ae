import { Module } from '@nestjs/common';
import { PaymentErasure } from './customer-deletion.worker.js';

@Module({ providers: [PaymentErasure] })
export class PaymentErasureModule {}
