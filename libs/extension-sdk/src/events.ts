import { isStorable } from './json-text.js';
import { StoreErrors } from './store.errors.js';

const DAY_SECONDS = 86_400;
/** Longer than providers retry: Stripe three days, Standard Webhooks about a day. */
export const DEFAULT_RETENTION_SECONDS = 7 * DAY_SECONDS;
const MAX_RETENTION_SECONDS = 30 * DAY_SECONDS;
const MIN_RETENTION_SECONDS = 60;

/**
 * Checks the arguments of `ctx.once`.
 *
 * @throws ExtensionError EVENT_ID_INVALID unless the id has 1 to 255 characters that can be stored,
 * EVENT_RETENTION_INVALID unless the retention is from 60 seconds to 30 days.
 */
export function assertEvent(eventId: string, retentionSeconds: number): void {
  if (typeof eventId !== 'string' || !eventId || eventId.length > 255 || !isStorable(eventId))
    throw StoreErrors.eventIdInvalid();
  if (!(retentionSeconds >= MIN_RETENTION_SECONDS && retentionSeconds <= MAX_RETENTION_SECONDS))
    throw StoreErrors.retentionInvalid();
}
