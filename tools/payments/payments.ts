import { join } from 'node:path';
import { StripeStandIn } from '../../libs/testing/src/stripe/stripe-stand-in.js';

/** As long as a service that is being replaced may be away. */
const RETRIES_AFTER_MS = [1_000, 5_000, 30_000];
export const PAYMENTS_PORT = 4042;
const WEBHOOK_URL = 'http://127.0.0.1:4000/v1/webhooks/stripe';

/**
 * The stand-in of Stripe that a platform uses for development. It keeps its objects, and tells the gateway of events, several times where that does not
 * listen.
 *
 * `PAYMENTS_HOST`: the address where it listens, 127.0.0.1 without it. `PAYMENTS_NAMES`: by which host names it may be called beside localhost, such as `payments,pay`.
 * `PAYMENTS_WEBHOOK_SECRET`: what signs its events, `whsec_stand_in` without it. `PAYMENTS_PROCESSING_SECONDS`: after so long the bank of a payment that takes its time says that it is paid; absent or 0: never.
 *
 * @param root the folder of the clone
 */
export async function startPayments(root: string, env: NodeJS.ProcessEnv): Promise<StripeStandIn> {
  const secret = env['PAYMENTS_WEBHOOK_SECRET'];
  const standIn = await StripeStandIn.start({
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
  if (seconds > 0) setInterval(() => finishOld(standIn, seconds), 1_000).unref();
  return standIn;
}

/** Pays what has been `processing` for longer: nobody is there who could say what the bank decides. */
function finishOld(standIn: StripeStandIn, seconds: number): void {
  for (const { id, status, created } of standIn.state.list('payment_intent'))
    if (status === 'processing' && created <= standIn.state.now() - seconds) standIn.finishProcessing(id);
}
