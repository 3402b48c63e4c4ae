import { Module } from '@nestjs/common';
import { LedgerChecks } from './ledger-checks.jobs.js';

@Module({ providers: [LedgerChecks] })
export class LedgerChecksModule {}
