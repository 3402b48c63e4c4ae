import { Module } from '@nestjs/common';
import { Provisioning } from './provisioning.js';

/** For the features that give something to every new user. */
@Module({ providers: [Provisioning], exports: [Provisioning] })
export class ProvisioningModule {}
