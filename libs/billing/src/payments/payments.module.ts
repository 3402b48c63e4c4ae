import { Module, type DynamicModule, type FactoryProvider, type ModuleMetadata } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module.js';
import { PlansModule } from '../plans/plans.module.js';
import { AutoTopUpNotices } from './auto-topup/auto-topup-notices.js';
import { AutoTopUpSettings } from './auto-topup/auto-topup-settings.js';
import { AutoTopUps } from './auto-topup/auto-topups.js';
import { WalletCrossings } from './auto-topup/wallet-crossings.js';
import { PaymentBalance } from './balance/payment-balance.js';
import { Cards } from './cards.js';
import { Charges } from './charges.js';
import { Customers } from './customers.js';
import { CardTestingService } from './declines/card-testing.service.js';
import { DeclinesRepository } from './declines/declines.repository.js';
import { InboundEvents } from './inbound-events.js';
import { SentPaymentMails } from './mails/sent-payment-mails.js';
import { PaymentProvider } from './payment-provider.js';
import { PaymentSweep } from './payment-sweep.js';
import { Payments } from './payments.js';
import { Disputes } from './refunds/disputes.js';
import { RefundSweep } from './refunds/refund-sweep.js';
import { Refunds } from './refunds/refunds.js';
import { TakeBacks } from './refunds/take-backs.js';
import { Settlements } from './settlements.js';
import { Topups } from './topups.js';

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
