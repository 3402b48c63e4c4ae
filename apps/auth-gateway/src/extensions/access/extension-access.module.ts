import { Module } from '@nestjs/common';
import { AccessPoliciesService } from './access-policies.service.js';
import { ExtensionAccessController } from './extension-access.controller.js';

@Module({ controllers: [ExtensionAccessController], providers: [AccessPoliciesService] })
export class ExtensionAccessModule {}
