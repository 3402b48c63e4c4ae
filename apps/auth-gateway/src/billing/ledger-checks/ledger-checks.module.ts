import { Module } from '@nestjs/common';
import { LedgerChecks } from './ledger-checks.worker.js';

@Module({ providers: [LedgerChecks] })
export class LedgerChecksModule {}
