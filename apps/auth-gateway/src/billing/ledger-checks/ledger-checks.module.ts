import { Module } from '@nestjs/common';
import { LedgerChecks } from './ledger-checks.jobs.js';

/** Whether the ledger adds up. */
@Module({ providers: [LedgerChecks] })
export class LedgerChecksModule {}
