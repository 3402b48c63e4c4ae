import { Module, type DynamicModule, type FactoryProvider, type ModuleMetadata } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module.js';
import { PlansModule } from '../plans/plans.module.js';
import { AutoTopUpNoticesService } from './auto-topup/auto-topup-notices.service.js';
import { AutoTopUpSettingsService } from './auto-topup/auto-topup-settings.service.js';
import { AutoTopUpPurchasesService } from './auto-topup/auto-topup-purchases.service.js';
import { WalletCrossingsRepository } from './auto-topup/wallet-crossings.repository.js';
import { PaymentBalanceService } from './balance/payment-balance.service.js';
import { CardsService } from './cards.service.js';
import { ChargesService } from './charges.service.js';
import { CustomersService } from './customers.service.js';
import { CardTestingService } from './declines/card-testing.service.js';
import { DeclinesRepository } from './declines/declines.repository.js';
import { InboundEventsRepository } from './inbound-events.repository.js';
import { SentPaymentMailsRepository } from './mails/sent-payment-mails.repository.js';
import { PaymentProvider } from './payment-provider.js';
import { PaymentSweepService } from './payment-sweep.service.js';
import { PaymentsRepository } from './payments.repository.js';
import { DisputesService } from './refunds/disputes.service.js';
import { RefundSweepService } from './refunds/refund-sweep.service.js';
import { RefundsService } from './refunds/refunds.service.js';
import { ClawbacksService } from './refunds/clawbacks.service.js';
import { PaymentStatusService } from './payment-status.service.js';
import { TopUpCreditsService } from './topup-credits.service.js';

const SERVICES = [
  CardsService,
  CardTestingService,
  ChargesService,
  CustomersService,
  DeclinesRepository,
  InboundEventsRepository,
  PaymentsRepository,
  PaymentSweepService,
  SentPaymentMailsRepository,
  PaymentStatusService,
];
const REFUNDS = [DisputesService, PaymentBalanceService, RefundsService, RefundSweepService];
const AUTO_TOPUP = [AutoTopUpNoticesService, AutoTopUpPurchasesService, AutoTopUpSettingsService];

/** Payments of users through a provider. */
@Module({})
export class PaymentsModule {
  static register(
    provider: Omit<FactoryProvider<PaymentProvider>, 'provide'> & Pick<ModuleMetadata, 'imports'>,
  ): DynamicModule {
    const { imports = [], ...factory } = provider;
    return {
      module: PaymentsModule,
      global: true,
      imports: [...imports, LedgerModule, PlansModule],
      providers: [
        { provide: PaymentProvider, ...factory },
        ...SERVICES,
        ...REFUNDS,
        ...AUTO_TOPUP,
        ClawbacksService,
        TopUpCreditsService,
        WalletCrossingsRepository,
      ],
      exports: [PaymentProvider, ...SERVICES, ...REFUNDS, ...AUTO_TOPUP],
    };
  }
}
