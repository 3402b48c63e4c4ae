import type Stripe from 'stripe';
import type { FakeAccount } from './account.js';
import { readFlag, readText, readTexts, type KnownParameters, type Parameters } from './parameters.js';

export const EVENTS = { delivery_success: true, type: true, types: '*' } satisfies KnownParameters;

/** Events, newest first, filtered by type and delivery state if they are given. */
export function listEvents({ state }: FakeAccount, given: Parameters): Stripe.Event[] {
  const type = readText(given, 'type');
  const types = readTexts(given, 'types') ?? (type === undefined ? undefined : [type]);
  const delivered = readText(given, 'delivery_success') === undefined ? undefined : readFlag(given, 'delivery_success');
  return state
    .list('event')
    .filter(
      (event) =>
        (!types || types.includes(event.type)) &&
        (delivered === undefined || (event.pending_webhooks === 0) === delivered),
    );
}
