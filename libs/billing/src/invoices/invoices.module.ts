import { Module, type DynamicModule, type FactoryProvider } from '@nestjs/common';
import { BillingProfiles } from '../profiles/billing-profiles.js';
import { Invoices, Seller } from './invoices.js';
import { ToldPayments } from './told-payments.js';

/** Invoices, to whom they are made out, and of which payments mails told. It needs the `PaymentsModule`. */
@Module({})
export class InvoicesModule {
  static register(seller: Omit<FactoryProvider<Seller>, 'provide'>): DynamicModule {
    return {
      module: InvoicesModule,
      global: true,
      providers: [{ provide: Seller, ...seller }, BillingProfiles, Invoices, ToldPayments],
      exports: [BillingProfiles, Invoices, ToldPayments],
    };
  }
}
