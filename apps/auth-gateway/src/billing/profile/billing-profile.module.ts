import { Module } from '@nestjs/common';
import { BillingProfileController } from './billing-profile.controller.js';
import { BillingProfilesOfUsers } from './user-billing-profiles.service.js';

@Module({ controllers: [BillingProfileController], providers: [BillingProfilesOfUsers] })
export class BillingProfileModule {}
