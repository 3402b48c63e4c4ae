import { Module } from '@nestjs/common';
import { LedgerModule } from '@platform/billing';
import { LedgerChecks } from './ledger-checks.jobs.js';

/** Whether the ledger adds up, and that its time is that of the clock. */
@Module({ imports: [LedgerModule], providers: [LedgerChecks] })
export class LedgerChecksModule {}
