import { Module } from '@nestjs/common';
import { AppSubscriptionsModule, LedgerModule, UsageModule } from '@platform/billing';
import { ExtensionHostModule } from '../../kernel/peers/extension-host/extension-host.module.js';
import { AppPricesModule } from '../../apps/prices/app-prices.module.js';
import { ActionsModule } from '../actions/actions.module.js';
import { UserExtensionsModule } from '../user-extensions/user-extensions.module.js';
import { RunGrantsModule } from '../run-grants/run-grants.module.js';
import { CallAdmission } from './call-admission.service.js';
import { CallCharges } from './call-charges.service.js';
import { CallQuotas } from './call-quotas.service.js';
import { CallTargets } from './call-targets.service.js';
import { Calls } from './calls.service.js';
import { FunctionCalls } from './function-calls.service.js';
import { ParamsChecks } from './params-validation.service.js';
import { SystemExtensions } from './system-extensions.registry.js';
import { UncountedCalls } from './uncounted-calls.service.js';

@Module({
  imports: [
    ActionsModule,
    AppPricesModule,
    AppSubscriptionsModule,
    ExtensionHostModule,
    LedgerModule,
    UsageModule,
    UserExtensionsModule,
    RunGrantsModule,
  ],
  providers: [
    CallAdmission,
    CallCharges,
    CallQuotas,
    CallTargets,
    Calls,
    FunctionCalls,
    ParamsChecks,
    SystemExtensions,
    UncountedCalls,
  ],
  exports: [CallAdmission, CallCharges, CallQuotas, CallTargets, Calls, FunctionCalls, SystemExtensions],
})
export class CallsModule {}
