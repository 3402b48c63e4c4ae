import type Stripe from 'stripe';
import type { Account } from './account.js';
import { flagOf, textOf, textsOf, type Known, type Parameters } from './parameters.js';

export const EVENTS = { delivery_success: true, type: true, types: '*' } satisfies Known;

/** Events, newest first, filtered by type and delivery state if they are given. */
export function listEvents({ state }: Account, given: Parameters): Stripe.Event[] {
  const type = textOf(given, 'type');
  const types = textsOf(given, 'types') ?? (type === undefined ? undefined : [type]);
  const delivered = textOf(given, 'delivery_success') === undefined ? undefined : flagOf(given, 'delivery_success');
  return state
    .list('event')
    .filter(
      (event) =>
        (!types || types.includes(event.type)) &&
        (delivered === undefined || (event.pending_webhooks === 0) === delivered),
    );
}
