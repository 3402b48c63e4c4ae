import Stripe from 'stripe';
import { STRIPE_SECRET_KEY } from './keys.js';
import type { StripeStandIn } from './stripe-stand-in.js';

/** Stripe's own client, asking a stand-in. It tries nothing again, but for a connection that breaks, once. */
export function stripeClient({ url }: StripeStandIn, key = STRIPE_SECRET_KEY): Stripe {
  const { hostname, port } = new URL(url);
  return new Stripe(key, { host: hostname, port, protocol: 'http', maxNetworkRetries: 0, timeout: 2_000, telemetry: false });
}
