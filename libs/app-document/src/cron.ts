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
/** What every cron understands: not the seconds, random values and other additions of the parser. */
const FIELD = /^[0-9A-Za-z*,/-]+$/;

/**
 * The five fields with one space between them.
 *
 * @throws Error with a message for the developer.
 */
export function canonicalCron(text: string): string {
  const trimmed = text.trim();
  if (Object.hasOwn(MACROS, trimmed)) return MACROS[trimmed] as string;
  const fields = trimmed.split(/\s+/);
  if (fields.length !== 5) throw new Error('A schedule has five fields: minute, hour, day of month, month, day of week.');
  const strange = fields.find((field) => !FIELD.test(field) || /[hl]/i.test(field.replace(/[a-z]{3}/gi, '')));
  if (strange !== undefined) throw new Error(`"${strange}" is no field of a schedule.`);
  const expression = fields.join(' ');
  CronExpressionParser.parse(expression, { tz: 'UTC' });
  return expression;
}

/** The first time after `after` at which an expression of `canonicalCron` is due. */
export const nextTick = (expression: string, after: Date): Date =>
  CronExpressionParser.parse(expression, { tz: 'UTC', currentDate: after }).next().toDate();
