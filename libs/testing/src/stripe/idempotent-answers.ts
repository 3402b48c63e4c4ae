import { createHash } from 'node:crypto';
import { StripeApiError } from './stripe-api-error.js';
import type { Replay, FakeStripeState } from './fake-stripe-state.js';

/**
 * Stripe deletes a key after at least 24 hours: https://docs.stripe.com/api/idempotent_requests.
 */
const KEPT_SECONDS = 24 * 60 * 60;

export const hashParts = (...parts: string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/**
 * Stored answers by `Idempotency-Key`. Requests that were malformed or ran at the same time as
 * another one have none.
 */
export class IdempotentAnswers {
  private readonly underWay = new Set<string>();

  constructor(private readonly state: FakeStripeState) {}

  /**
   * Returns the answer that is stored under a key; undefined if there is none, or it is older than
   * 24 hours.
   *
   * @throws StripeApiError 400 if the key belongs to another request, 409 if its request is still
   * running
   */
  find(key: string, hash: string): Replay | undefined {
    if (this.underWay.has(key)) {
      throw new StripeApiError(409, {
        type: 'idempotency_error',
        code: 'idempotency_key_in_use',
        message: `There is currently another in-progress request using this Idempotency Key: ${key}.`,
      });
    }
    const known = this.state.find('replay', key);
    if (!known || known.created < this.state.now() - KEPT_SECONDS) return undefined;
    if (known.hash === hash) return known;
    throw new StripeApiError(400, {
      type: 'idempotency_error',
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}'.`,
    });
  }

  start(key: string): void {
    this.underWay.add(key);
  }

  finish(key: string, hash: string, answer: { status: number; body: string } | null): void {
    this.underWay.delete(key);
    if (answer) this.state.put('replay', { id: key, hash, created: this.state.now(), ...answer });
  }
}
