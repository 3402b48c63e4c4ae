import { Module, type DynamicModule, type FactoryProvider, type ModuleMetadata } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module.js';
import { AutoTopUpNotices } from './auto-topup/auto-topup-notices.js';
import { AutoTopUpSettings } from './auto-topup/auto-topup-settings.js';
import { AutoTopUps } from './auto-topup/auto-topups.js';
import { WalletCrossings } from './auto-topup/wallet-crossings.js';
import { Cards } from './cards.js';
import { Charges } from './charges.js';
import { Customers } from './customers.js';
import { PaymentProvider } from './payment-provider.js';
import { PaymentSweep } from './payment-sweep.js';
import { Payments } from './payments.js';
import { Settlements } from './settlements.js';
import { Topups } from './topups.js';

const AUTO_TOPUP = [AutoTopUpNotices, AutoTopUps, AutoTopUpSettings];
const SERVICES = [Cards, Charges, Customers, Payments, PaymentSweep, Settlements];

/** What users pay by a provider. */
@Module({})
export class PaymentsModule {
  static register(provider: Omit<FactoryProvider<PaymentProvider>, 'provide'> & Pick<ModuleMetadata, 'imports'>): DynamicModule {
    const { imports = [], ...factory } = provider;
    return {
      module: PaymentsModule,
      global: true,
      imports: [...imports, LedgerModule],
      providers: [{ provide: PaymentProvider, ...factory }, ...SERVICES, ...AUTO_TOPUP, Topups, WalletCrossings],
      exports: [PaymentProvider, ...SERVICES, ...AUTO_TOPUP],
    };
  }
}
