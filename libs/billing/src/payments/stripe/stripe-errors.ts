import type Stripe from 'stripe';

/** As stripe-node throws them. Read by their fields, since its classes are loaded with the first call. */
interface StripeError {
  type: string;
  code?: string;
  statusCode?: number;
  payment_intent?: Stripe.PaymentIntent;
}

const asStripeError = (error: unknown): StripeError | null =>
  error instanceof Error && 'type' in error && typeof error.type === 'string' && error.type.startsWith('Stripe')
    ? (error as unknown as StripeError)
    : null;

export const isRefusedWith = (error: unknown, code: string): boolean => asStripeError(error)?.code === code;

/** Whether this says something about Stripe and not about the request: what the request did is unknown then, or it was not looked at. */
export function isOutage(error: unknown): boolean {
  const { type, statusCode = 0 } = asStripeError(error) ?? { type: '' };
  return type === 'StripeConnectionError' || statusCode >= 500 || statusCode === 409 || statusCode === 429;
}

/** The request was understood, and is not done. */
export const isDenied = (error: unknown): error is Error => asStripeError(error)?.type === 'StripeInvalidRequestError' && !isOutage(error);

/** A card that is declined is in the intent, which the error carries. */
export function intentOfError(error: unknown): Stripe.PaymentIntent {
  const intent = asStripeError(error)?.type === 'StripeCardError' ? asStripeError(error)?.payment_intent : undefined;
  if (!intent) throw error;
  return intent;
}
