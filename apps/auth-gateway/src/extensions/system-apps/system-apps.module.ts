import { Module } from '@nestjs/common';
import { SpendingModule } from '@platform/billing';
import { DeploysModule } from '../../apps/deploys/deploys.module.js';
import { DeployDocumentsModule } from '../../apps/deploys/documents/deploy-documents.module.js';
import { DeploySagaModule } from '../../apps/deploys/saga/deploy-saga.module.js';
import { DevelopersModule } from '../../apps/developers/developers.module.js';
import { OwnAppsModule } from '../../apps/own-apps/own-apps.module.js';
import { AppOperationsModule } from '../../apps/operations/app-operations.module.js';
import { AppReviewsModule } from '../../apps/reviews/app-reviews.module.js';
import { ExtensionHostModule } from '../../kernel/peers/extension-host/extension-host.module.js';
import { RegistryModule } from '../../kernel/peers/registry/registry.module.js';
import { UserInvoicesModule } from '../../billing/invoices/user-invoices.module.js';
import { AutoTopUpModule } from '../../billing/payments/auto-topup/auto-topup.module.js';
import { CardsModule } from '../../billing/payments/cards/cards.module.js';
import { PaymentHistoryModule } from '../../billing/payments/history/payment-history.module.js';
import { TopupsModule } from '../../billing/payments/topups/topups.module.js';
import { UserPlansModule } from '../../billing/plans/user-plans.module.js';
import { SubscriptionsModule } from '../../billing/subscriptions/subscriptions.module.js';
import { WalletModule } from '../../billing/wallet/wallet.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { BillingExtension } from './billing.extension.js';
import { BillingReadsProvider } from './billing-reads.provider.js';
import { BillingReleasesProvider } from './billing-releases.provider.js';
import { DeployIrProvider } from './deploy-ir.provider.js';
import { DeveloperExtension } from './developer.extension.js';
import { PortalFunctionsProvider } from './portal-functions.provider.js';
import { SmokeIrProvider } from './smoke-ir.provider.js';
import { SystemAppsWorker } from './system-apps.worker.js';

/** Extensions that are part of the platform. */
@Module({
  imports: [
    AppOperationsModule,
    AppReviewsModule,
    AutoTopUpModule,
    CallsModule,
    CardsModule,
    DeployDocumentsModule,
    DeploySagaModule,
    DeploysModule,
    OwnAppsModule,
    DevelopersModule,
    ExtensionHostModule,
    UserInvoicesModule,
    PaymentHistoryModule,
    UserPlansModule,
    RegistryModule,
    SpendingModule,
    SubscriptionsModule,
    TopupsModule,
    WalletModule,
  ],
  providers: [
    BillingExtension,
    BillingReadsProvider,
    BillingReleasesProvider,
    DeployIrProvider,
    DeveloperExtension,
    PortalFunctionsProvider,
    SmokeIrProvider,
    SystemAppsWorker,
  ],
})
export class SystemAppsModule {}
