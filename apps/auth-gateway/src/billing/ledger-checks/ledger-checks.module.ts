import { Module } from '@nestjs/common';
import { LedgerChecksWorker } from './ledger-checks.worker.js';

@Module({ providers: [LedgerChecksWorker] })
export class LedgerChecksModule {}
