import { AppError, Errors } from '@platform/platform';
import type { RefusedUse } from './call-counts.js';

export const UsageErrors = {
  limitExceeded: ({ meter, limit, used, resetsAt, secondsLeft }: RefusedUse) =>
    Errors.limited('usage.limit_exceeded', `The limit of ${limit} ${meter} is reached until ${resetsAt.toISOString()}.`, secondsLeft, {
      meter,
      limit,
      used,
      resets_at: resetsAt,
    }),
  /** Another transaction has locked the counter or the user, for example an account deletion. */
  locked: (cause: unknown) =>
    new AppError(503, 'unavailable', 'What this user uses cannot be counted at the moment. Nothing was counted: try again in a moment.', {
      headers: { 'Retry-After': '1' },
      cause,
    }),
};
