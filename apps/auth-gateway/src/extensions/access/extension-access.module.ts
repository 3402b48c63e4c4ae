import { Module } from '@nestjs/common';
import { AccessPolicies } from './access-policies.service.js';
import { ExtensionAccessController } from './extension-access.controller.js';

@Module({ controllers: [ExtensionAccessController], providers: [AccessPolicies] })
export class ExtensionAccessModule {}
