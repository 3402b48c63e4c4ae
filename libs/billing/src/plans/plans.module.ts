import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module.js';
import { Plans } from './plans.js';
import { Subscriptions } from './subscriptions.js';

/** Which plans there are, and which one somebody has. */
@Module({ imports: [LedgerModule], providers: [Plans, Subscriptions], exports: [Plans, Subscriptions] })
export class PlansModule {}
