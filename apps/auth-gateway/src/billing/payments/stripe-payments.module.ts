import { PaymentsModule, StripePaymentProvider } from '@platform/billing';
import { Registry as Metrics } from 'prom-client';
import { CONFIG, type Config } from '../../config.js';

/** Payments with the gateway's Stripe configuration. */
export const StripePaymentsModule = PaymentsModule.register({
  useFactory: (config: Config, metrics: Metrics) =>
    new StripePaymentProvider({
      apiUrl: config.STRIPE_API_URL,
      secretKey: config.STRIPE_SECRET_KEY,
      publishableKey: config.STRIPE_PUBLISHABLE_KEY,
      metrics,
    }),
  inject: [CONFIG, Metrics],
});
