import { dateAndTime, fromNow } from '../lib/time.js';

/** A moment, as one would say it; the exact time shows when one points at it. */
export function Time({ at }: { at: string }) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={dateAndTime(date)}>
      {fromNow(date)}
    </time>
  );
}
