import { Module, type DynamicModule, type FactoryProvider } from '@nestjs/common';
import { BillingProfilesRepository } from '../profiles/billing-profiles.repository.js';
import { InvoicesRepository, Seller } from './invoices.repository.js';

/** Invoices and billing profiles. Needs the `PaymentsModule`. */
@Module({})
export class InvoicesModule {
  static register(seller: Omit<FactoryProvider<Seller>, 'provide'>): DynamicModule {
    return {
      module: InvoicesModule,
      global: true,
      providers: [{ provide: Seller, ...seller }, BillingProfilesRepository, InvoicesRepository],
      exports: [BillingProfilesRepository, InvoicesRepository],
    };
  }
}
