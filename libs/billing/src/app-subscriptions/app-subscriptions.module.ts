import { Module } from '@nestjs/common';
import { AppSubscriptions } from './app-subscriptions.js';

/** Apps that are paid by the month. */
@Module({ providers: [AppSubscriptions], exports: [AppSubscriptions] })
export class AppSubscriptionsModule {}
