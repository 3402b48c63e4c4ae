import { Module } from '@nestjs/common';
import { AppSubscriptionsModule, LedgerModule, UsageModule } from '@platform/billing';
import { ExtensionHostModule } from '../../kernel/peers/extension-host/extension-host.module.js';
import { AppPricesModule } from '../../apps/prices/app-prices.module.js';
import { ActionsModule } from '../actions/actions.module.js';
import { UserExtensionsModule } from '../user-extensions/user-extensions.module.js';
import { RunGrantsModule } from '../run-grants/run-grants.module.js';
import { CallAdmission } from './call-admission.js';
import { CallCharges } from './call-charges.js';
import { CallQuotas } from './call-quotas.js';
import { CallTargets } from './call-targets.js';
import { Calls } from './calls.service.js';
import { FunctionCalls } from './function-calls.js';
import { ParamsChecks } from './params-checks.js';
import { SystemExtensions } from './system-extension.js';
import { UncountedCalls } from './uncounted-calls.js';

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
