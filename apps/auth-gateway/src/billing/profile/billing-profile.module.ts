import { Module } from '@nestjs/common';
import { BillingProfileController } from './billing-profile.controller.js';
import { BillingProfilesOfUsers } from './billing-profiles-of-users.js';

@Module({ controllers: [BillingProfileController], providers: [BillingProfilesOfUsers] })
export class BillingProfileModule {}
