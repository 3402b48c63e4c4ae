import { InvalidArgumentError } from 'commander';

const MS_OF_UNIT = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Formats a time as `2026-11-03 14:05`, in the time zone of this computer; null as `-`. */
export function moment(iso: string | null): string {
  if (iso === null) return '-';
  const date = new Date(iso);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Formats milliseconds as `9:05`; 0:00 for negative values. */
export function minutesAndSeconds(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/**
 * Formats seconds as `90 s`, `5 minutes`, `3 hours` or `30 days`: rounded up, in a unit that is
 * easy to read.
 */
export function duration(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.ceil(seconds / 60)} minutes`;
  return seconds < 172_800 ? `${Math.ceil(seconds / 3_600)} hours` : `${Math.ceil(seconds / 86_400)} days`;
}

/**
 * Converts an argument such as `12h`, `90d`, `4w` or a date to an ISO time.
 *
 * @throws InvalidArgumentError if it is invalid or not in the future.
 */
export function parseExpiry(text: string): string {
  const [, count, unit] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  const at = count && unit ? Date.now() + Number(count) * MS_OF_UNIT[unit as keyof typeof MS_OF_UNIT] : dateOf(text);
  if (Number.isNaN(at))
    throw new InvalidArgumentError('Use a duration such as 12h, 90d or 4w, or a date such as 2027-01-31.');
  if (at <= Date.now()) throw new InvalidArgumentError('It must be in the future.');
  return new Date(at).toISOString();
}

/**
 * Parses a date, with or without a time, as milliseconds since 1970; NaN if it is invalid. Is more
 * strict than Date.parse(), which also accepts `90` as a year and 30 February as 2 March.
 */
function dateOf(text: string): number {
  const [, day] = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?$/.exec(text) ?? [];
  if (day === undefined) return NaN;
  const start = new Date(day);
  return !Number.isNaN(start.getTime()) && start.toISOString().startsWith(day) ? Date.parse(text) : NaN;
}
