import { Module } from '@nestjs/common';
import { Provisioning } from './provisioning.service.js';

/** Exports `Provisioning` to features that set up data for every new user. */
@Module({ providers: [Provisioning], exports: [Provisioning] })
export class ProvisioningModule {}
