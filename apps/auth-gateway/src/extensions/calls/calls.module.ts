import { Module } from '@nestjs/common';
import { ActionsModule } from '../actions/actions.module.js';
import { DeploysModule } from '../../apps/deploys/deploys.module.js';
import { AppOperationsModule } from '../../apps/developer/operations/app-operations.module.js';
import { DeveloperModule } from '../../apps/developer/developer.module.js';
import { ExtensionHostModule } from '../../kernel/peers/extension-host/extension-host.module.js';
import { RegistryModule } from '../../kernel/peers/registry/registry.module.js';
import { ConfirmationsController, OperationsController } from '../confirmations/confirmations.controller.js';
import { Confirmations } from '../confirmations/confirmations.service.js';
import { Operations } from '../confirmations/operations.js';
import { ExtensionsModule } from '../extensions.module.js';
import { RunGrantsModule } from '../run-grants/run-grants.module.js';
import { CallQuotas } from './call-quotas.js';
import { CallTargets } from './call-targets.js';
import { CallsController } from './calls.controller.js';
import { Calls } from './calls.service.js';
import { DeployIr } from '../system-apps/deploy-ir.js';
import { DeveloperExtension } from '../system-apps/developer.extension.js';
import { PortalFunctions } from '../system-apps/portal-functions.js';
import { SmokeIr } from '../system-apps/smoke-ir.js';
import { FunctionCalls } from './function-calls.js';
import { ParamsChecks } from './params-checks.js';
import { SystemApps } from '../system-apps/system-apps.js';
import { SystemExtensions } from './system-extension.js';

/** Calls of functions of extensions, and the extensions that the platform itself brings. */
@Module({
  imports: [
    ActionsModule,
    AppOperationsModule,
    DeploysModule,
    DeveloperModule,
    ExtensionHostModule,
    ExtensionsModule,
    RegistryModule,
    RunGrantsModule,
  ],
  controllers: [CallsController, ConfirmationsController, OperationsController],
  providers: [
    CallQuotas,
    Calls,
    CallTargets,
    Confirmations,
    DeployIr,
    DeveloperExtension,
    FunctionCalls,
    Operations,
    ParamsChecks,
    PortalFunctions,
    SmokeIr,
    SystemApps,
    SystemExtensions,
  ],
  exports: [CallQuotas, CallTargets, FunctionCalls, SystemExtensions],
})
export class CallsModule {}
