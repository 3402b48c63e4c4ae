import { join } from 'node:path';
import { StripeStandIn } from '../../libs/testing/src/stripe/stripe-stand-in.js';

/** As long as a service that is being replaced may be away. */
const RETRIES_AFTER_MS = [1_000, 5_000, 30_000];
export const PAYMENTS_PORT = 4042;
const WEBHOOK_URL = 'http://127.0.0.1:4000/v1/webhooks/stripe';

/**
 * The stand-in of Stripe that a platform uses for development, on 127.0.0.1. It keeps its objects, and tells the gateway of events, several times where that does not
 * listen.
 *
 * @param root the folder of the clone
 */
export function startPayments(root: string, env: NodeJS.ProcessEnv): Promise<StripeStandIn> {
  return StripeStandIn.start({
    port: Number(env['PAYMENTS_PORT'] ?? PAYMENTS_PORT),
    file: env['PAYMENTS_FILE'] ?? join(root, '.data', 'payments.jsonl'),
    webhooks: { url: env['PAYMENTS_WEBHOOK_URL'] ?? WEBHOOK_URL, retriesAfterMs: RETRIES_AFTER_MS },
  });
}
