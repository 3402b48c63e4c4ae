import { StripeRefusal } from './api-error.js';

/** What becomes of a request instead of an answer, or of its answer. */
export type Fault =
  /** Nothing is done, and the connection breaks. */
  | { kind: 'lost_before' }
  /** All is done, and the connection breaks. */
  | { kind: 'lost_after' }
  /** All is done, and the answer comes that much later. */
  | { kind: 'slow'; ms: number }
  /** Nothing is done. A 500 is kept for its idempotency key, as Stripe keeps it; a 409 and a 429 are not. */
  | { kind: 'answer'; status: FaultStatus };

export const FAULT_KINDS = ['lost_before', 'lost_after', 'slow', 'answer'] as const satisfies readonly Fault['kind'][];
export const FAULT_STATUSES = [409, 429, 500] as const;
type FaultStatus = (typeof FAULT_STATUSES)[number];

/** Which requests a fault is of: `POST /v1/payment_intents`; of those that fit the next `times`. */
export interface PlannedFault {
  request: RegExp;
  fault: Fault;
  times: number;
}

/** What goes wrong next. */
export class Faults {
  private planned: PlannedFault[] = [];

  plan(request: RegExp, fault: Fault, times: number): void {
    this.planned.push({ request, fault, times });
  }

  /** The fault of a request, which has then happened once more. */
  take(line: string): Fault | undefined {
    const next = this.planned.find(({ request }) => request.test(line));
    if (!next) return undefined;
    next.times--;
    this.planned = this.planned.filter(({ times }) => times > 0);
    return next.fault;
  }

  /** Those that have not happened yet. */
  list(): readonly PlannedFault[] {
    return this.planned;
  }

  clear(): void {
    this.planned = [];
  }
}

/** What Stripe says where it answers with that status. */
export const FAULT_ANSWERS: Record<FaultStatus, StripeRefusal> = {
  409: new StripeRefusal(409, {
    type: 'invalid_request_error',
    code: 'lock_timeout',
    message: 'This object cannot be accessed right now.',
  }),
  429: new StripeRefusal(429, { type: 'rate_limit_error', code: 'rate_limit', message: 'Too many requests.' }),
  500: new StripeRefusal(500, { type: 'api_error', message: 'An unknown error occurred.' }),
};
