import { Module } from '@nestjs/common';
import { AppSubscriptions } from './app-subscriptions.repository.js';

@Module({ providers: [AppSubscriptions], exports: [AppSubscriptions] })
export class AppSubscriptionsModule {}
