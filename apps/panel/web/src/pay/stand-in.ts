import type { PaymentToMake } from '../lib/payment-handover.js';

/** The publishable key of the stand-in of Stripe (`libs/testing/src/stripe/keys.ts`). Stripe gives nobody such a key. */
const STAND_IN_KEY = 'pk_test_stand_in';

/**
 * Whether this is paid at the stand-in and not at Stripe. The key that the gateway sends along with the payment decides: with a key of
 * Stripe nobody is ever led elsewhere, whatever else is configured.
 */
export const isTestPayment = ({ publishableKey }: PaymentToMake): boolean => publishableKey === STAND_IN_KEY;

/** Where the stand-in has a test card chosen. It leads back to this page. */
export function standInPage(testPayments: string, { intentId, clientSecret }: PaymentToMake): string {
  const query = new URLSearchParams({ client_secret: clientSecret, return_url: `${window.location.origin}/pay` });
  return `${testPayments}/pay/${encodeURIComponent(intentId)}?${query.toString()}`;
}

export type Returned = 'succeeded' | 'processing' | 'failed';

/**
 * What came of it at the stand-in; null where one does not come from there. It tells by the query, as Stripe does after a redirect, with the
 * secret of a test payment: it leaves the address at once. At Stripe itself nothing redirects: the gateway lets payments be made by methods
 * alone that do not.
 */
export function takeReturn(): Returned | null {
  const status = new URLSearchParams(window.location.search).get('redirect_status');
  if (window.location.search) window.history.replaceState(null, '', window.location.pathname);
  return status === 'succeeded' || status === 'processing' || status === 'failed' ? status : null;
}
