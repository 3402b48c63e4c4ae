import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module.js';
import { AppSubscriptions } from './app-subscriptions.js';

/** Apps that are paid by the month. */
@Module({ imports: [LedgerModule], providers: [AppSubscriptions], exports: [AppSubscriptions] })
export class AppSubscriptionsModule {}
