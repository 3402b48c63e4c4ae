import { Module } from '@nestjs/common';
import { AppSubscriptionsRepository } from './app-subscriptions.repository.js';

@Module({ providers: [AppSubscriptionsRepository], exports: [AppSubscriptionsRepository] })
export class AppSubscriptionsModule {}
