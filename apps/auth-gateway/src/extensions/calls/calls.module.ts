import { Module } from '@nestjs/common';
import { AppSubscriptionsModule, LedgerModule, UsageModule } from '@platform/billing';
import { ExtensionHostModule } from '../../kernel/peers/extension-host/extension-host.module.js';
import { AppPricesModule } from '../../apps/prices/app-prices.module.js';
import { ActionsModule } from '../actions/actions.module.js';
import { UserExtensionsModule } from '../user-extensions/user-extensions.module.js';
import { RunGrantsModule } from '../run-grants/run-grants.module.js';
import { CallAdmissionService } from './call-admission.service.js';
import { CallChargesService } from './call-charges.service.js';
import { CallQuotasService } from './call-quotas.service.js';
import { CallTargetsService } from './call-targets.service.js';
import { CallsService } from './calls.service.js';
import { FunctionCallsService } from './function-calls.service.js';
import { ParamsValidationService } from './params-validation.service.js';
import { SystemExtensionsRegistry } from './system-extensions.registry.js';
import { UncountedCallsService } from './uncounted-calls.service.js';

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
    CallAdmissionService,
    CallChargesService,
    CallQuotasService,
    CallTargetsService,
    CallsService,
    FunctionCallsService,
    ParamsValidationService,
    SystemExtensionsRegistry,
    UncountedCallsService,
  ],
  exports: [
    CallAdmissionService,
    CallChargesService,
    CallQuotasService,
    CallTargetsService,
    CallsService,
    FunctionCallsService,
    SystemExtensionsRegistry,
  ],
})
export class CallsModule {}
