import type { PaymentToMake } from '../lib/payment-handover.js';

/**
 * Publishable key of the fake of Stripe (`libs/testing/src/stripe/keys.ts`). Stripe itself never
 * issues this key.
 */
const STAND_IN_KEY = 'pk_test_stand_in';

/**
 * True if the payment is made at the fake and not at Stripe. Only the key that the gateway sends
 * with the payment decides: with a key of Stripe, users are never sent to another place, whatever
 * is configured.
 */
export const isTestPayment = ({ publishableKey }: PaymentToMake): boolean => publishableKey === STAND_IN_KEY;

/** Address of the page of the fake where the user chooses a test card. It returns to `/pay`. */
export function getTestPaymentUrl(testPayments: string, { intentId, clientSecret }: PaymentToMake): string {
  const query = new URLSearchParams({ client_secret: clientSecret, return_url: `${window.location.origin}/pay` });
  return `${testPayments}/pay/${encodeURIComponent(intentId)}?${query.toString()}`;
}

export type Returned = 'succeeded' | 'processing' | 'failed';

/**
 * Result of the fake; null if the user does not come from there. The fake puts it into the query,
 * as Stripe does after a redirect, together with the secret of the test payment, so the query is
 * removed from the address at once. Stripe itself never redirects here: the gateway allows only
 * payment methods without redirects.
 */
export function takeReturn(): Returned | null {
  const status = new URLSearchParams(window.location.search).get('redirect_status');
  if (window.location.search) window.history.replaceState(null, '', window.location.pathname);
  return status === 'succeeded' || status === 'processing' || status === 'failed' ? status : null;
}
