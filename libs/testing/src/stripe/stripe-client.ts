import Stripe from 'stripe';
import { STRIPE_SECRET_KEY } from './keys.js';
import type { StripeStandIn } from './stripe-stand-in.js';

/** The limit of a request, which no slow machine comes near. */
const TIMEOUT_MS = 80_000;

/** Stripe's own client, asking a stand-in. It tries nothing again, but for a connection that breaks, once. */
export function stripeClient({ url }: StripeStandIn, key = STRIPE_SECRET_KEY): Stripe {
  const { hostname, port } = new URL(url);
  return new Stripe(key, { host: hostname, port, protocol: 'http', maxNetworkRetries: 0, timeout: TIMEOUT_MS, telemetry: false });
}
