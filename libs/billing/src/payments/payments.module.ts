import { Module, type DynamicModule, type FactoryProvider, type ModuleMetadata } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module.js';
import { PlansModule } from '../plans/plans.module.js';
import { AutoTopUpNotices } from './auto-topup/auto-topup-notices.service.js';
import { AutoTopUpSettings } from './auto-topup/auto-topup-settings.service.js';
import { AutoTopUps } from './auto-topup/auto-topup-purchases.service.js';
import { WalletCrossings } from './auto-topup/wallet-crossings.repository.js';
import { PaymentBalance } from './balance/payment-balance.service.js';
import { Cards } from './cards.service.js';
import { Charges } from './charges.service.js';
import { Customers } from './customers.service.js';
import { CardTestingService } from './declines/card-testing.service.js';
import { DeclinesRepository } from './declines/declines.repository.js';
import { InboundEvents } from './inbound-events.repository.js';
import { SentPaymentMails } from './mails/sent-payment-mails.repository.js';
import { PaymentProvider } from './payment-provider.js';
import { PaymentSweep } from './payment-sweep.service.js';
import { Payments } from './payments.repository.js';
import { Disputes } from './refunds/disputes.service.js';
import { RefundSweep } from './refunds/refund-sweep.service.js';
import { Refunds } from './refunds/refunds.service.js';
import { TakeBacks } from './refunds/clawbacks.service.js';
import { Settlements } from './payment-status.service.js';
import { Topups } from './topup-credits.service.js';

const SERVICES = [
  Cards,
  CardTestingService,
  Charges,
  Customers,
  DeclinesRepository,
  InboundEvents,
  Payments,
  PaymentSweep,
  SentPaymentMails,
  Settlements,
];
const REFUNDS = [Disputes, PaymentBalance, Refunds, RefundSweep];
const AUTO_TOPUP = [AutoTopUpNotices, AutoTopUps, AutoTopUpSettings];

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
        TakeBacks,
        Topups,
        WalletCrossings,
      ],
      exports: [PaymentProvider, ...SERVICES, ...REFUNDS, ...AUTO_TOPUP],
    };
  }
}
