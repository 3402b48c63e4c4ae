import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';

/**
 * RFC 3339. The seconds, the colon of the offset, the time and the time zone can be omitted.
 * Offsets are below 16 hours, as PostgreSQL requires.
 */
const FORM =
  /^(\d{4}-\d\d-\d\d)(?:T((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?)(?:(Z)|([+-](?:0\d|1[0-5])):?([0-5]\d))?)?$/i;
const MAX_LENGTH = 40;
/**
 * Range in which every time zone, and PostgreSQL, write the year with four digits and without a
 * sign.
 */
const FIRST = Date.parse('0001-01-01T00:00:00Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/** `day`: only a date. `local`: without a time zone, read as UTC. `exact`: with a time zone. */
type Precision = 'day' | 'local' | 'exact';

/**
 * Time that a text names, to the millisecond. Null for another format, for a day or a time that
 * does not exist, and outside of the years that have four digits.
 */
export function momentOf(text: string): { at: Date; precision: Precision } | null {
  if (text.length > MAX_LENGTH) return null;
  const [, day, time, utc, hours, minutes] = FORM.exec(text) ?? [];
  if (day === undefined || !isDay(day)) return null;
  const zone = hours ? `${hours}:${minutes}` : 'Z';
  const at = new Date(`${day}T${time ?? '00:00'}${zone}`);
  if (!(at.getTime() >= FIRST && at.getTime() <= LAST)) return null;
  if (time === undefined) return { at, precision: 'day' };
  return { at, precision: utc || hours ? 'exact' : 'local' };
}

/** True for a day that exists. `Date` alone would read February 30 as March 2. */
function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

const exactTime = (text: string): Date | null => {
  const moment = momentOf(text);
  return moment?.precision === 'exact' ? moment.at : null;
};

/**
 * The value must be a text that `read` accepts. The route gets the result of `read`. A text that
 * `read` refuses stays, and is invalid.
 */
const ReadBy = (read: (text: string) => Date | null, message: string): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? (read(value) ?? value) : value)),
    ValidateBy(
      { name: 'isString', validator: { validate: (value) => typeof value === 'string' || value instanceof Date } },
      { message: 'Input should be a valid string' },
    ),
    ValidateBy(
      { name: 'isTime', validator: { validate: (value) => value instanceof Date } },
      { message, context: PARSING },
    ),
  );

const PARSING = { type: 'datetime_parsing' };
const NO_TIME = 'Input should be a valid datetime with a time zone';

/** The value must be a time in RFC 3339 format with a time zone. The route gets a Date. */
export const IsTime = (): PropertyDecorator =>
  applyDecorators(ApiProperty({ type: 'string', format: 'date-time' }), ReadBy(exactTime, NO_TIME));

/**
 * The value must be a time in RFC 3339 format with a time zone, in requests between services. The
 * route gets the text, because PostgreSQL reads it to the microsecond.
 */
export const IsTimeText = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ format: 'date-time' }),
    ValidateBy(
      { name: 'isString', validator: { validate: (value) => typeof value === 'string' } },
      { message: 'Input should be a valid string' },
    ),
    ValidateBy(
      { name: 'isTime', validator: { validate: (value) => typeof value === 'string' && exactTime(value) !== null } },
      { message: NO_TIME, context: PARSING },
    ),
  );

/**
 * The value must be a time in RFC 3339 format; the time of day and the time zone can be omitted.
 * The route gets a Date; without a time zone it is UTC.
 */
export const IsTimeOrDay = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ type: 'string', example: '2026-01-31' }),
    ReadBy((text) => momentOf(text)?.at ?? null, 'Input should be a valid datetime, or a date'),
  );

/**
 * The value must be a time in the future, in RFC 3339 format with a time zone. The route gets a
 * Date.
 */
export const IsFutureTime = (): PropertyDecorator =>
  applyDecorators(
    IsTime(),
    ValidateBy(
      {
        name: 'isFuture',
        validator: { validate: (value) => !(value instanceof Date) || value.getTime() > Date.now() },
      },
      { message: 'Input should be in the future', context: { type: 'datetime_future' } },
    ),
  );
