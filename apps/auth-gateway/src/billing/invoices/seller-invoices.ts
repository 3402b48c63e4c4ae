import { InvoicesModule } from '@platform/billing';
import { CONFIG, type Config } from '../../config.js';

/** Invoices of the seller in the gateway's configuration. */
export const SellerInvoicesModule = InvoicesModule.register({
  useFactory: ({ INVOICE_PREFIX: series, INVOICE_SELLER: text }: Config) => ({ series, text }),
  inject: [CONFIG],
});
