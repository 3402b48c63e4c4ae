import Stripe from 'stripe';
import { STRIPE_SECRET_KEY } from './keys.js';
import type { FakeStripe } from './fake-stripe.js';

/** Time limit of a request, high enough for slow machines. */
const TIMEOUT_MS = 80_000;

/** Stripe's own client, connected to the fake. It retries nothing except one lost connection. */
export function createStripeClient({ url }: FakeStripe, key = STRIPE_SECRET_KEY): Stripe {
  const { hostname, port } = new URL(url);
  return new Stripe(key, {
    host: hostname,
    port,
    protocol: 'http',
    maxNetworkRetries: 0,
    timeout: TIMEOUT_MS,
    telemetry: false,
  });
}
