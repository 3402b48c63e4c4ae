import { StripeApiError } from './stripe-api-error.js';

/** Failure of one request or of its answer. */
export type Fault =
  /** Does nothing, and closes the connection. */
  | { kind: 'lost_before' }
  /** Does the work, and closes the connection without an answer. */
  | { kind: 'lost_after' }
  /** Does the work, and answers after a delay. */
  | { kind: 'slow'; ms: number }
  /**
   * Does nothing, and answers with an error. Like Stripe, the fake keeps a 500 under its
   * idempotency key, but no 409 or 429.
   */
  | { kind: 'answer'; status: FaultStatus };

export const FAULT_KINDS = ['lost_before', 'lost_after', 'slow', 'answer'] as const satisfies readonly Fault['kind'][];
export const FAULT_STATUSES = [409, 429, 500] as const;
type FaultStatus = (typeof FAULT_STATUSES)[number];

/**
 * A fault for the next `times` requests with a matching line, such as `POST /v1/payment_intents`.
 */
export interface PlannedFault {
  request: RegExp;
  fault: Fault;
  times: number;
}

/** Planned faults of the fake. The first that matches a request applies. */
export class Faults {
  private planned: PlannedFault[] = [];

  plan(request: RegExp, fault: Fault, times: number): void {
    this.planned.push({ request, fault, times });
  }

  /** Returns the planned fault of a request, and counts it as used. Undefined if there is none. */
  consume(line: string): Fault | undefined {
    const next = this.planned.find(({ request }) => request.test(line));
    if (!next) return undefined;
    next.times--;
    this.planned = this.planned.filter(({ times }) => times > 0);
    return next.fault;
  }

  /** Faults that are not used up. */
  list(): readonly PlannedFault[] {
    return this.planned;
  }

  clear(): void {
    this.planned = [];
  }
}

/** Stripe's answers with each status. */
export const FAULT_ANSWERS: Record<FaultStatus, StripeApiError> = {
  409: new StripeApiError(409, {
    type: 'invalid_request_error',
    code: 'lock_timeout',
    message: 'This object cannot be accessed right now.',
  }),
  429: new StripeApiError(429, { type: 'rate_limit_error', code: 'rate_limit', message: 'Too many requests.' }),
  500: new StripeApiError(500, { type: 'api_error', message: 'An unknown error occurred.' }),
};
