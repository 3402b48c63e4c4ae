import { Module } from '@nestjs/common';
import { SpendingModule } from '@platform/billing';
import { SpendingController } from './spending.controller.js';
import { SpendingOfUsers } from './user-spending.service.js';

@Module({ imports: [SpendingModule], controllers: [SpendingController], providers: [SpendingOfUsers] })
export class SpendingOfUsersModule {}
