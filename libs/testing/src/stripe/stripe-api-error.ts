/** An error answer of Stripe: https://docs.stripe.com/api/errors. */
export class StripeApiError extends Error {
  constructor(
    readonly status: number,
    readonly error: {
      type: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error' | 'rate_limit_error';
      message: string;
      code?: string;
      decline_code?: string;
      param?: string;
      /** The refused payment intent, in its current state. */
      payment_intent?: object;
      setup_intent?: object;
    },
  ) {
    super(error.message);
  }
}

export const createMissingError = (what: string, id: string, param = 'id'): StripeApiError =>
  new StripeApiError(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${what}: '${id}'`,
    param,
  });

export const createInvalidError = (message: string, param?: string, code = 'parameter_invalid'): StripeApiError =>
  new StripeApiError(400, { type: 'invalid_request_error', code, message, ...(param && { param }) });
