import { StripeApiError } from './stripe-api-error.js';

export const STRIPE_SECRET_KEY = 'sk_test_stand_in';
export const STRIPE_PUBLISHABLE_KEY = 'pk_test_stand_in';

/**
 * Client kind: the seller with the secret key, or a customer's browser with the publishable key
 * and a client secret.
 */
export type ClientKind = 'seller' | 'browser';

/**
 * Keys for tests in production mode, which refuses the keys of `npm start`. The fake accepts both.
 */
export const PRODUCTION_TEST_KEYS = {
  STRIPE_SECRET_KEY: `${STRIPE_SECRET_KEY}_of_tests`,
  STRIPE_PUBLISHABLE_KEY: `${STRIPE_PUBLISHABLE_KEY}_of_tests`,
  STRIPE_WEBHOOK_SECRETS: 'whsec_stand_in_of_tests',
};

const isOneOf = (authorization: string | undefined, ...keys: string[]): boolean =>
  keys.some((key) => authorization === `Bearer ${key}`);

export const isSellerKey = (authorization: string | undefined): boolean =>
  isOneOf(authorization, STRIPE_SECRET_KEY, PRODUCTION_TEST_KEYS.STRIPE_SECRET_KEY);

/**
 * Finds the kind of a client by its key in the header Authorization.
 *
 * @throws StripeApiError 401 if the key is unknown
 */
export function getClientKind(authorization: string | undefined): ClientKind {
  if (isSellerKey(authorization)) return 'seller';
  if (isOneOf(authorization, STRIPE_PUBLISHABLE_KEY, PRODUCTION_TEST_KEYS.STRIPE_PUBLISHABLE_KEY)) return 'browser';
  throw new StripeApiError(401, { type: 'invalid_request_error', message: 'Invalid API Key provided.' });
}
