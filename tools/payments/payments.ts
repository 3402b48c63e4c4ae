import { join } from 'node:path';
import { FakeStripe } from '../../libs/testing/src/stripe/fake-stripe.js';

/** Delays that cover the restart of a service. */
const RETRIES_AFTER_MS = [1_000, 5_000, 30_000];
export const PAYMENTS_PORT = 4042;
const WEBHOOK_URL = 'http://127.0.0.1:4000/v1/webhooks/stripe';

/**
 * Starts the fake of Stripe that a platform uses in development. It stores its objects in a file,
 * and sends events to the gateway, with retries while the gateway does not listen.
 * `PAYMENTS_HOST`: address to listen on (127.0.0.1). `PAYMENTS_NAMES`: additional host names for
 * requests, such as `payments,pay`. `PAYMENTS_WEBHOOK_SECRET`: secret that signs its events
 * (`whsec_stand_in`). `PAYMENTS_PROCESSING_SECONDS`: seconds after which a payment in status
 * `processing` succeeds; never if absent or 0.
 * @param root the folder of the clone
 */
export async function startPayments(root: string, env: NodeJS.ProcessEnv): Promise<FakeStripe> {
  const secret = env['PAYMENTS_WEBHOOK_SECRET'];
  const fake = await FakeStripe.start({
    port: Number(env['PAYMENTS_PORT'] ?? PAYMENTS_PORT),
    host: env['PAYMENTS_HOST'],
    names: env['PAYMENTS_NAMES']?.split(','),
    file: env['PAYMENTS_FILE'] ?? join(root, '.data', 'payments.jsonl'),
    webhooks: {
      url: env['PAYMENTS_WEBHOOK_URL'] ?? WEBHOOK_URL,
      retriesAfterMs: RETRIES_AFTER_MS,
      ...(secret && { secrets: [secret] }),
    },
  });
  const seconds = Number(env['PAYMENTS_PROCESSING_SECONDS'] ?? 0);
  if (seconds > 0) setInterval(() => finishOld(fake, seconds), 1_000).unref();
  return fake;
}

/**
 * Lets payments succeed that have been `processing` for this long, since in development no bank
 * decides.
 */
function finishOld(fake: FakeStripe, seconds: number): void {
  for (const { id, status, created } of fake.state.list('payment_intent'))
    if (status === 'processing' && created <= fake.state.now() - seconds) fake.finishProcessing(id);
}
