import { AppError, Errors } from '@platform/platform';
import type { RefusedUse } from './call-counts.service.js';

export const UsageErrors = {
  limitExceeded: ({ meter, limit, used, resetsAt, secondsLeft }: RefusedUse) =>
    Errors.limited(
      'usage.limit_exceeded',
      `The limit of ${limit} ${meter} is reached. It resets at ${resetsAt.toISOString()}.`,
      secondsLeft,
      {
        meter,
        limit,
        used,
        resets_at: resetsAt,
      },
    ),
  /** Another transaction has locked the counter or the user, for example an account deletion. */
  locked: (cause: unknown) =>
    new AppError(
      503,
      'unavailable',
      'The usage counter of this user is locked by another operation. Nothing was counted. Try again in a moment.',
      {
        headers: { 'Retry-After': '1' },
        cause,
      },
    ),
};
