import { Module } from '@nestjs/common';
import { SpendingModule } from '@platform/billing';
import { SpendingController } from './spending.controller.js';
import { SpendingOfUsers } from './spending-of-users.js';

@Module({ imports: [SpendingModule], controllers: [SpendingController], providers: [SpendingOfUsers] })
export class SpendingOfUsersModule {}
