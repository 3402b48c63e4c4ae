import { ServiceUnavailable } from '@platform/platform';
import type Stripe from 'stripe';

/**
 * Error of stripe-node. It is recognized by its fields, because the classes are loaded with the
 * first call.
 */
interface StripeError {
  type: string;
  code?: string;
  statusCode?: number;
  requestId?: string;
  param?: string;
  message: string;
  payment_intent?: Stripe.PaymentIntent;
}

const asStripeError = (error: unknown): StripeError | null =>
  error instanceof Error && 'type' in error && typeof error.type === 'string' && error.type.startsWith('Stripe')
    ? (error as unknown as StripeError)
    : null;

/**
 * Error of Stripe without the objects that stripe-node attaches. They contain secrets, which a log
 * must not show.
 */
export class StripeFailure extends Error {
  override name = 'StripeFailure';

  constructor(
    readonly type: string,
    readonly code: string | null,
    readonly status: number,
    readonly requestId: string | null,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Throws the error of a call to Stripe without the objects that contain secrets.
 *
 * @throws StripeFailure for an error of stripe-node. Any other error is thrown unchanged.
 */
export function throwWithoutSecrets(error: unknown): never {
  const stripe = asStripeError(error);
  if (!stripe) throw error;
  const { type, code = null, statusCode = 0, requestId = null, message } = stripe;
  throw new StripeFailure(type, code, statusCode, requestId, message);
}

export const hasStripeCode = (error: unknown, code: string): boolean => asStripeError(error)?.code === code;

/**
 * True for a StripeFailure that is about Stripe as a whole and not about one request: a lost
 * connection, 5xx, or 429 (too many requests) except `lock_timeout`. The effect of the request can
 * be unknown then.
 */
export const isOutage = (error: unknown): boolean =>
  error instanceof StripeFailure &&
  (error.type === 'StripeConnectionError' || error.status >= 500 || (error.status === 429 && error.code !== LOCKED));

/**
 * Another request is using the same object or the same key. A retry is safe, and the error says
 * nothing about other requests.
 */
const LOCKED = 'lock_timeout';

/**
 * Throws the error of a call.
 *
 * @throws ServiceUnavailable for the statuses 409 and 429, after which the request can be retried.
 * Any other error is thrown unchanged.
 */
export function throwUnavailableIfBusy(error: unknown): never {
  if (error instanceof StripeFailure && (error.status === 409 || error.status === 429))
    throw new ServiceUnavailable('payment_provider', error);
  throw error;
}

/**
 * Code and message with which Stripe refused a request as invalid, without any effect. Null for any
 * other error, also for 409 and 429.
 */
export const findRefusal = (error: unknown): { code: string; message: string } | null => {
  const { type = '', statusCode = 0, code = 'refused', message = '' } = asStripeError(error) ?? {};
  return type === 'StripeInvalidRequestError' && ![409, 429].includes(statusCode) ? { code, message } : null;
};

/**
 * True if Stripe names the parameter `payment_method`, the card, as the reason for its refusal. The
 * refusal of a detached card does not always name it.
 */
export const isCardRefused = (error: unknown): boolean => asStripeError(error)?.param === 'payment_method';

/** True if Stripe does not have the object that the path or the parameter names. */
export const isResourceMissing = (error: unknown, parameter: 'path' | 'customer'): boolean => {
  const { code, statusCode, param } = asStripeError(error) ?? {};
  return code === 'resource_missing' && (parameter === 'path' ? statusCode === 404 : param === parameter);
};

/**
 * Returns the intent of a declined card, which the error contains. Throws any other error
 * unchanged.
 */
export function readDeclinedIntent(error: unknown): Stripe.PaymentIntent {
  const intent = asStripeError(error)?.type === 'StripeCardError' ? asStripeError(error)?.payment_intent : undefined;
  if (!intent) throw error;
  return intent;
}
