import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module.js';
import { Commissions } from './commissions.service.js';
import { Earnings } from './earnings.repository.js';

/** Earnings of developers. */
@Module({ imports: [LedgerModule], providers: [Commissions, Earnings], exports: [Commissions, Earnings] })
export class EarningsModule {}
