import { Module } from '@nestjs/common';
import { CustomerDeletionWorker } from './customer-deletion.worker.js';

@Module({ providers: [CustomerDeletionWorker] })
export class CustomerDeletionModule {}
