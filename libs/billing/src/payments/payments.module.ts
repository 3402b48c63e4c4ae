import { Module, type DynamicModule, type FactoryProvider, type ModuleMetadata } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module.js';
import { Cards } from './cards.js';
import { Charges } from './charges.js';
import { Customers } from './customers.js';
import { InboundEvents } from './inbound-events.js';
import { PaymentProvider } from './payment-provider.js';
import { PaymentSweep } from './payment-sweep.js';
import { Payments } from './payments.js';
import { Settlements } from './settlements.js';
import { Topups } from './topups.js';

const SERVICES = [Cards, Charges, Customers, InboundEvents, Payments, PaymentSweep, Settlements];

/** What users pay by a provider. */
@Module({})
export class PaymentsModule {
  static register(provider: Omit<FactoryProvider<PaymentProvider>, 'provide'> & Pick<ModuleMetadata, 'imports'>): DynamicModule {
    const { imports = [], ...factory } = provider;
    return {
      module: PaymentsModule,
      global: true,
      imports: [...imports, LedgerModule],
      providers: [{ provide: PaymentProvider, ...factory }, ...SERVICES, Topups],
      exports: [PaymentProvider, ...SERVICES],
    };
  }
}
