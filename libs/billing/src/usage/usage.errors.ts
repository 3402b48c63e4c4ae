import { Errors } from '@platform/platform';
import type { RefusedUse } from './usage-counts.js';

export const UsageErrors = {
  limitExceeded: ({ meter, limit, used, resetsAt, secondsLeft }: RefusedUse) =>
    Errors.limited('usage.limit_exceeded', `The limit of ${limit} ${meter} is reached until ${resetsAt.toISOString()}.`, secondsLeft, {
      meter,
      limit,
      used,
      resets_at: resetsAt,
    }),
};
