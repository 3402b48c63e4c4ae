import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module.js';
import { Commissions } from './commissions.js';
import { Earnings } from './earnings.js';

/** Earnings of developers. */
@Module({ imports: [LedgerModule], providers: [Commissions, Earnings], exports: [Commissions, Earnings] })
export class EarningsModule {}
