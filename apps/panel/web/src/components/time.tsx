import { dateAndTime, fromNow } from '../lib/time.js';

/** A relative time; the exact time appears on hover. */
export function Time({ at }: { at: string }) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={dateAndTime(date)}>
      {fromNow(date)}
    </time>
  );
}
