import { Module } from '@nestjs/common';
import { DeploysModule } from '../../deploys/deploys.module.js';
import { RegistryModule } from '../../registry/registry.module.js';
import { CallTargets } from './call-targets.js';
import { CallsController } from './calls.controller.js';
import { Calls } from './calls.service.js';
import { DeployIr } from './developer/deploy-ir.js';
import { DeveloperExtension } from './developer/developer.extension.js';
import { ParamsChecks } from './params-checks.js';
import { SystemApps } from './system-apps.js';
import { SystemExtensions } from './system-extension.js';

/** Calls of functions of extensions, and the extensions that the platform itself brings. */
@Module({
  imports: [DeploysModule, RegistryModule],
  controllers: [CallsController],
  providers: [Calls, CallTargets, DeployIr, DeveloperExtension, ParamsChecks, SystemApps, SystemExtensions],
})
export class CallsModule {}
