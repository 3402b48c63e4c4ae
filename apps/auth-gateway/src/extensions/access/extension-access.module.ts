import { Module } from '@nestjs/common';
import { AccessPolicies } from './access-policies.service.js';
import { ExtensionAccessController } from './extension-access.controller.js';

/** Who may use which extension. */
@Module({ controllers: [ExtensionAccessController], providers: [AccessPolicies] })
export class ExtensionAccessModule {}
