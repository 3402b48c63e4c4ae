import { StripeRefusal } from './api-error.js';

export const STRIPE_SECRET_KEY = 'sk_test_stand_in';
export const STRIPE_PUBLISHABLE_KEY = 'pk_test_stand_in';

/** What asks: the seller with the secret key, or the browser of a customer with the publishable one and the secret of what it pays. */
export type Asker = 'seller' | 'browser';

/** @throws StripeRefusal 401. */
export function askerOf(authorization: string | undefined): Asker {
  if (authorization === `Bearer ${STRIPE_SECRET_KEY}`) return 'seller';
  if (authorization === `Bearer ${STRIPE_PUBLISHABLE_KEY}`) return 'browser';
  throw new StripeRefusal(401, { type: 'invalid_request_error', message: 'Invalid API Key provided.' });
}
