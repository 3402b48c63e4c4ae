import { Module } from '@nestjs/common';
import { DeploysModule } from '../../deploys/deploys.module.js';
import { AppOperationsModule } from '../../developer/operations/app-operations.module.js';
import { DeveloperModule } from '../../developer/developer.module.js';
import { ExtensionHostModule } from '../../extension-host/extension-host.module.js';
import { RegistryModule } from '../../registry/registry.module.js';
import { ExtensionsModule } from '../extensions.module.js';
import { CallTargets } from './call-targets.js';
import { CallsController } from './calls.controller.js';
import { Calls } from './calls.service.js';
import { DeployIr } from './developer/deploy-ir.js';
import { DeveloperExtension } from './developer/developer.extension.js';
import { PortalFunctions } from './developer/portal-functions.js';
import { SmokeIr } from './developer/smoke-ir.js';
import { ParamsChecks } from './params-checks.js';
import { SystemApps } from './system-apps.js';
import { SystemExtensions } from './system-extension.js';

/** Calls of functions of extensions, and the extensions that the platform itself brings. */
@Module({
  imports: [AppOperationsModule, DeploysModule, DeveloperModule, ExtensionHostModule, ExtensionsModule, RegistryModule],
  controllers: [CallsController],
  providers: [Calls, CallTargets, DeployIr, DeveloperExtension, ParamsChecks, PortalFunctions, SmokeIr, SystemApps, SystemExtensions],
  exports: [CallTargets],
})
export class CallsModule {}
