import { CronExpressionParser } from 'cron-parser';

const MACROS: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};
/**
 * Characters that every cron implementation accepts. Excludes seconds, random values and other
 * extensions of the parser.
 */
const FIELD = /^[0-9A-Za-z*,/-]+$/;

/**
 * Checks a cron expression, and returns its five fields with one space between them. Macros such as
 * `@daily` are replaced.
 *
 * @throws Error with a message for the developer, if there are not five fields, or a field is not
 * valid.
 */
export function canonicalCron(text: string): string {
  const trimmed = text.trim();
  if (Object.hasOwn(MACROS, trimmed)) return MACROS[trimmed] as string;
  const fields = trimmed.split(/\s+/);
  if (fields.length !== 5)
    throw new Error('A schedule has five fields: minute, hour, day of month, month, day of week.');
  const strange = fields.find((field) => !FIELD.test(field) || /[hl]/i.test(field.replace(/[a-z]{3}/gi, '')));
  if (strange !== undefined) throw new Error(`"${strange}" is not a valid field of a schedule.`);
  const expression = fields.join(' ');
  CronExpressionParser.parse(expression, { tz: 'UTC' });
  return expression;
}

/** Next time (UTC) of a cron expression after the given time; null if there is none. */
export function nextTime(cron: string, after: Date): Date | null {
  return timesFrom(cron, after, (times) => times.next().toDate());
}

/** Last time (UTC) of a cron expression at or before the given time; null if there is none. */
export function lastTime(cron: string, upTo: Date): Date | null {
  const nextSecond = new Date((Math.floor(upTo.getTime() / 1_000) + 1) * 1_000);
  return timesFrom(cron, nextSecond, (times) => times.prev().toDate());
}

/** Days of each month. February has 28, because most years have no February 29. */
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Days of the month that a schedule names and that some of its months do not have, so that it does
 * not run then. Reads only plain lists of numbers: other months count as all months, and for other
 * days the result is empty. February counts as 28 days.
 */
export function daysLeftOut(cron: string): number[] {
  const [, , days = '', months = ''] = cron.split(' ');
  const shortest = Math.min(...DAYS.filter((_days, at) => numbersOf(months, 12)?.has(at + 1) ?? true));
  return [...(numbersOf(days, 31) ?? [])].filter((day) => day > shortest).sort((one, other) => one - other);
}

/** Joins numbers of days into a text, such as `30 or 31`. */
export const alternatives = (days: readonly number[]): string =>
  new Intl.ListFormat('en', { type: 'disjunction' }).format(days.map(String));

/** Numbers up to `most` in a field that is a list of numbers; null for any other field. */
function numbersOf(field: string, most: number): Set<number> | null {
  if (!/^\d+(,\d+)*$/.test(field)) return null;
  return new Set(
    field
      .split(',')
      .map(Number)
      .filter((number) => number <= most),
  );
}

type Times = ReturnType<typeof CronExpressionParser.parse>;

/**
 * Reads a time of a cron expression; null if the parser throws, as for a time that never comes,
 * such as February 31.
 */
function timesFrom(cron: string, currentDate: Date, read: (times: Times) => Date): Date | null {
  try {
    return read(CronExpressionParser.parse(cron, { tz: 'UTC', currentDate }));
  } catch {
    return null;
  }
}
