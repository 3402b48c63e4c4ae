import { Module } from '@nestjs/common';
import { SpendingModule } from '@platform/billing';
import { SpendingController } from './spending.controller.js';
import { SpendingOfUsers } from './spending-of-users.js';

/** How much users let be spent without them. */
@Module({ imports: [SpendingModule], controllers: [SpendingController], providers: [SpendingOfUsers] })
export class SpendingOfUsersModule {}
