const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const absolute = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });

/**
 * Formats a time relative to now, such as `3 minutes ago`, `in 5 days` or `just now`; as a date if
 * it is 30 days away or more.
 */
export function fromNow(at: Date, now = new Date()): string {
  const seconds = (at.getTime() - now.getTime()) / 1000;
  const size = Math.abs(seconds);
  if (size < MINUTE) return seconds > 0 ? 'in less than a minute' : 'just now';
  if (size < HOUR) return relative.format(Math.round(seconds / MINUTE), 'minute');
  if (size < DAY) return relative.format(Math.round(seconds / HOUR), 'hour');
  if (size < 30 * DAY) return relative.format(Math.round(seconds / DAY), 'day');
  return date(at);
}

export const date = (at: Date): string => day.format(at);

export const dateAndTime = (at: Date): string => absolute.format(at);

/**
 * Formats a number of seconds as `45 seconds`, `2 minutes` or `3 hours`; rounded up, so that the
 * user does not return too early.
 */
export function waitingTime(seconds: number): string {
  const [count, unit] =
    seconds < 90
      ? [Math.ceil(seconds), 'second']
      : seconds < 90 * MINUTE
        ? [Math.ceil(seconds / MINUTE), 'minute']
        : [Math.ceil(seconds / HOUR), 'hour'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
