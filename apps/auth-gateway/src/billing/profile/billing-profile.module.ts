import { Module } from '@nestjs/common';
import { BillingProfileController } from './billing-profile.controller.js';
import { UserBillingProfilesService } from './user-billing-profiles.service.js';

@Module({ controllers: [BillingProfileController], providers: [UserBillingProfilesService] })
export class BillingProfileModule {}
