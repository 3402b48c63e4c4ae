import { Module } from '@nestjs/common';
import { ProvisioningService } from './provisioning.service.js';

/** Exports `ProvisioningService` to features that set up data for every new user. */
@Module({ providers: [ProvisioningService], exports: [ProvisioningService] })
export class ProvisioningModule {}
