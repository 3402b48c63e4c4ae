import { ServiceUnavailable } from '@platform/platform';
import type Stripe from 'stripe';

/** As stripe-node throws them. Read by their fields, since its classes are loaded with the first call. */
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

/** What Stripe refused, without the objects that its errors carry: these have secrets in them, which a log must not show. */
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

/** @throws StripeFailure for an error of stripe-node, and any other as it is. */
export function withoutObjects(error: unknown): never {
  const stripe = asStripeError(error);
  if (!stripe) throw error;
  const { type, code = null, statusCode = 0, requestId = null, message } = stripe;
  throw new StripeFailure(type, code, statusCode, requestId, message);
}

export const isRefusedWith = (error: unknown, code: string): boolean => asStripeError(error)?.code === code;

/** Whether this says something about Stripe and not about one request: what the request did is unknown then. */
export const isOutage = (error: unknown): boolean =>
  error instanceof StripeFailure &&
  (error.type === 'StripeConnectionError' || error.status >= 500 || (error.status === 429 && error.code !== LOCKED));

/** Another request works on the same object, or has the same key: it may be tried again, and says nothing about other requests. */
const LOCKED = 'lock_timeout';

/** @throws ServiceUnavailable for a request that may be tried again, and any other error as it is. */
export function busyIsUnavailable(error: unknown): never {
  if (error instanceof StripeFailure && (error.status === 409 || error.status === 429))
    throw new ServiceUnavailable('payment_provider', error);
  throw error;
}

/** Why Stripe does not do what was asked, though it understood it: nothing was done. Null for any other error. */
export const deniedWith = (error: unknown): { code: string; message: string } | null => {
  const { type = '', statusCode = 0, code = 'refused', message = '' } = asStripeError(error) ?? {};
  return type === 'StripeInvalidRequestError' && ![409, 429].includes(statusCode) ? { code, message } : null;
};

/** Whether it is the card that Stripe does not take, such as one that is gone. All else is a fault of ours, or of the seller's account. */
export const isCardRefused = (error: unknown): boolean => asStripeError(error)?.param === 'payment_method';

/** True where Stripe does not have the object that the path of the request, or this parameter of it, names. */
export const isMissing = (error: unknown, parameter: 'path' | 'customer'): boolean => {
  const { code, statusCode, param } = asStripeError(error) ?? {};
  return code === 'resource_missing' && (parameter === 'path' ? statusCode === 404 : param === parameter);
};

/** A card that is declined is in the intent, which the error carries. */
export function intentOfError(error: unknown): Stripe.PaymentIntent {
  const intent = asStripeError(error)?.type === 'StripeCardError' ? asStripeError(error)?.payment_intent : undefined;
  if (!intent) throw error;
  return intent;
}
