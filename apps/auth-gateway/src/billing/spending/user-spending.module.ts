import { Module } from '@nestjs/common';
import { SpendingModule } from '@platform/billing';
import { SpendingController } from './spending.controller.js';
import { UserSpendingService } from './user-spending.service.js';

@Module({ imports: [SpendingModule], controllers: [SpendingController], providers: [UserSpendingService] })
export class UserSpendingModule {}
