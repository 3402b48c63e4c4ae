import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsString,
  Max,
  Min,
  type ValidationOptions,
  ValidateBy,
} from 'class-validator';
import { emailAddress, MAX_EMAIL_LENGTH } from './email-addresses.js';
import { mayBecomeLink } from './person-names.js';
import { hasAtLeast, hasAtMost } from './text-lengths.js';

export const MIN_PASSWORD_LENGTH = 8;
export const MAX_PASSWORD_LENGTH = 128;
export const DEFAULT_TENANT = 'default';
const MAX_TOKEN_LENGTH = 2_048;
export const TENANT_ID = /^[a-z0-9][a-z0-9_-]{0,62}$/;
/** Nickname under which a user can publish. It can be used in a URL. */
export const NICKNAME = /^[a-z0-9][a-z0-9_-]{1,28}[a-z0-9]$/;

/**
 * True for a text of at most `max` UTF-16 units. Call it before every pattern, to limit the time
 * that the pattern can take.
 */
export const isAtMost = (max: number, value: unknown): value is string =>
  typeof value === 'string' && value.length <= max;

const failsAs = (type: string, message: string): ValidationOptions => ({ message, context: { type } });

/**
 * The value must be an email address without a display name. Surrounding spaces are removed, and
 * the route gets the form of `emailAddress`.
 */
export const IsEmailAddress = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ format: 'email', maxLength: MAX_EMAIL_LENGTH, example: 'ada@example.com' }),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? (emailAddress(value.trim()) ?? value) : value,
    ),
    IsString({ message: 'Input should be a valid string' }),
    ValidateBy(
      {
        name: 'isEmailAddress',
        validator: { validate: (value) => typeof value === 'string' && emailAddress(value) !== null },
      },
      failsAs('value_error', 'value is not a valid email address'),
    ),
  );

/**
 * The value must be a new password: 8 to 128 characters, counted in code points as people count
 * them, not in UTF-16 units.
 */
export const IsNewPassword = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      format: 'password',
      minLength: MIN_PASSWORD_LENGTH,
      maxLength: MAX_PASSWORD_LENGTH,
      example: 'correct horse battery',
    }),
    IsString({ message: 'Input should be a valid string' }),
    ValidateBy(
      {
        name: 'passwordTooShort',
        validator: { validate: (value) => typeof value === 'string' && hasAtLeast(MIN_PASSWORD_LENGTH, value) },
      },
      failsAs('string_too_short', `String should have at least ${MIN_PASSWORD_LENGTH} characters`),
    ),
    HasAtMost(MAX_PASSWORD_LENGTH),
  );

/** The value must be a text of at most 128 characters: an existing password, to be verified. */
export const IsPassword = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ format: 'password', maxLength: MAX_PASSWORD_LENGTH, example: 'correct horse battery' }),
    IsString({ message: 'Input should be a valid string' }),
    HasAtMost(MAX_PASSWORD_LENGTH),
  );

export const isTenantId = (value: unknown): value is string => isAtMost(63, value) && TENANT_ID.test(value);

/**
 * The value must be an id of a tenant. The OpenAPI document shows the field as optional, with
 * `default`.
 */
export const IsTenantId = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ required: false, default: DEFAULT_TENANT, pattern: TENANT_ID.source }),
    IsString({ message: 'Input should be a valid string' }),
    ValidateBy(
      { name: 'isTenantId', validator: { validate: isTenantId } },
      failsAs('string_pattern_mismatch', `String should match pattern '${TENANT_ID.source}'`),
    ),
  );

/**
 * The value must be a text that can be an opaque token of the platform: it only limits the length.
 */
export const IsToken = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ maxLength: MAX_TOKEN_LENGTH }),
    IsString({ message: 'Input should be a valid string' }),
    HasAtMost(MAX_TOKEN_LENGTH),
  );

/** The value must be a list of at most `most` texts with at most `length` characters each. */
export const IsListOfTexts = (most: number, length: number): PropertyDecorator =>
  applyDecorators(
    IsArray({ message: 'Input should be a valid list' }),
    ArrayMaxSize(most, { message: `List should have at most ${most} items` }),
    IsString({ each: true, message: 'Each item should be a valid string' }),
    ValidateBy(
      { name: 'tooLong', validator: { validate: (value) => typeof value === 'string' && hasAtMost(length, value) } },
      { ...failsAs('string_too_long', `Each item should have at most ${length} characters`), each: true },
    ),
  );

/** The value must be a text of at most `max` characters. The route checks its content. */
export const IsText = (max: number): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ maxLength: max }),
    IsString({ message: 'Input should be a valid string' }),
    HasAtMost(max),
  );

/**
 * Control characters, and characters that change the direction of writing, so that a text reads as
 * a different one.
 */
const NO_LINE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
/**
 * `NO_LINE` and `NO_PROSE` for the documentation, in the syntax that JSON Schema tools of every
 * language know.
 */
const LINE = '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069]*$';
const PROSE = '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069]*$';
const NO_PROSE = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;

/**
 * The value must be a line of text that a person typed, such as a name: no line breaks or control
 * characters. It appears in mails and prompts, where a second line could pass for a line of the
 * platform.
 */
export const IsLine = (max: number): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ maxLength: max, pattern: LINE }),
    IsString({ message: 'Input should be a valid string' }),
    HasAtMost(max),
    ValidateBy(
      { name: 'isLine', validator: { validate: (value) => !isAtMost(2 * max, value) || !NO_LINE.test(value) } },
      failsAs('value_error', 'Line breaks and control characters are not allowed'),
    ),
  );

/**
 * The value must be a name of a person that cannot become a link. Mails greet with it, including
 * mails that a stranger can cause.
 */
export const IsPersonName = (max: number): PropertyDecorator =>
  applyDecorators(
    IsLine(max),
    ValidateBy(
      {
        name: 'isNoLink',
        validator: { validate: (value) => !isAtMost(2 * max, value) || NO_LINE.test(value) || !mayBecomeLink(value) },
      },
      failsAs('value_error', 'A name should not contain a web or email address'),
    ),
  );

/**
 * The value must be text that a person typed, such as a description: line breaks are allowed,
 * control characters are not.
 */
export const IsProse = (max: number): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ maxLength: max, pattern: PROSE }),
    IsString({ message: 'Input should be a valid string' }),
    HasAtMost(max),
    ValidateBy(
      { name: 'isProse', validator: { validate: (value) => !isAtMost(2 * max, value) || !NO_PROSE.test(value) } },
      failsAs('value_error', 'Control characters are not allowed'),
    ),
  );

/**
 * The value must be a word of a fixed list. With `fallback`, the OpenAPI document shows the field
 * as optional.
 */
export const IsOneOf = (words: readonly string[], fallback?: string): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ enum: words, ...(fallback && { required: false, default: fallback }) }),
    IsIn(words, { message: `Input should be ${words.map((word) => `'${word}'`).join(' or ')}` }),
  );

/** Text that matches a pattern. */
interface PatternOptions {
  minLength?: number;
  maxLength: number;
  example?: string;
  /** Error message for a text that does not match. Default: names the pattern. */
  message?: string;
}

export const IsPattern = (pattern: RegExp, { message, ...options }: PatternOptions): PropertyDecorator =>
  applyDecorators(ApiProperty({ ...options, pattern: pattern.source }), Matches(pattern, options.maxLength, message));

const APP_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

export const isAppId = (value: unknown): value is string => isAtMost(64, value) && APP_ID.test(value);

/**
 * The value must have the form of an id of an app that may exist, also outside this platform. Ids
 * of new apps have stricter rules.
 */
export const IsAppId = (): PropertyDecorator => IsPattern(APP_ID, { maxLength: 64, example: 'invoices' });

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The value must be a UUID in lower case, as the platform writes them. */
export const IsUuid = (): PropertyDecorator =>
  IsPattern(UUID, { maxLength: 36, example: '019346e0-0000-7000-8000-000000000001' });

/**
 * The value must be a text of at most `maxLength` that matches the pattern. Unlike `IsPattern`, it
 * adds nothing to the OpenAPI document, for a value that the request has in another form.
 */
export const Matches = (
  pattern: RegExp,
  maxLength: number,
  message = `String should match pattern '${pattern.source}'`,
): PropertyDecorator =>
  applyDecorators(
    IsString({ message: 'Input should be a valid string' }),
    ValidateBy(
      {
        name: 'isPattern',
        validator: { validate: (value) => isAtMost(maxLength, value) && pattern.test(value) },
      },
      failsAs('string_pattern_mismatch', message),
    ),
  );

const MAX_INTEGER = 2_147_483_647;

/**
 * The value must be a whole number from 1 to 2 147 483 647 as text. A JSON number is also accepted,
 * and becomes text.
 */
export const IsPositiveIntegerText = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ pattern: '^[1-9][0-9]{0,9}$' }),
    Transform(({ value }: { value: unknown }) => (Number.isInteger(value) ? String(value) : value)),
    IsString({ message: 'Input should be a valid string' }),
    ValidateBy(
      {
        name: 'isPositiveIntegerText',
        validator: {
          validate: (value) => isAtMost(10, value) && /^[1-9]\d{0,9}$/.test(value) && Number(value) <= MAX_INTEGER,
        },
      },
      failsAs('int_parsing', 'Input should be a valid integer'),
    ),
  );

/**
 * The text must have at least `min` characters, counted in code points. The field must document the
 * minimum as `minLength`.
 */
export function HasAtLeast(min: number): PropertyDecorator {
  return ValidateBy(
    { name: 'tooShort', validator: { validate: (value) => typeof value === 'string' && hasAtLeast(min, value) } },
    failsAs('string_too_short', `String should have at least ${min} characters`),
  );
}

/** The text must have at most `max` characters, counted in code points. */
export function HasAtMost(max: number): PropertyDecorator {
  return ValidateBy(
    { name: 'tooLong', validator: { validate: (value) => typeof value === 'string' && hasAtMost(max, value) } },
    failsAs('string_too_long', `String should have at most ${max} characters`),
  );
}

/** The value must be a JSON boolean. */
export const IsTrueOrFalse = (): PropertyDecorator =>
  applyDecorators(ApiProperty({ type: 'boolean' }), IsBoolean({ message: 'Input should be a valid boolean' }));

/**
 * The value must be a whole JSON number in this range. With `fallback`, the OpenAPI document shows
 * the field as optional.
 */
export const IsWholeNumber = (minimum: number, maximum: number, fallback?: number): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      type: 'integer',
      minimum,
      maximum,
      ...(fallback !== undefined && { required: false, default: fallback }),
    }),
    IsInt({ message: 'Input should be a valid integer' }),
    Min(minimum, { message: `Input should be greater than or equal to ${minimum}` }),
    Max(maximum, { message: `Input should be less than or equal to ${maximum}` }),
  );

export interface IntegerRange {
  minimum: number;
  maximum: number;
  default?: number;
}

/**
 * The value must be a whole number in this range, in a query or a path. The route gets a number.
 */
export const IsQueryInteger = ({ minimum, maximum, default: fallback }: IntegerRange): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      type: 'integer',
      minimum,
      maximum,
      ...(fallback !== undefined && { required: false, default: fallback }),
    }),
    Transform(({ value }: { value: unknown }) =>
      isAtMost(16, value) && /^-?\d{1,15}$/.test(value) ? Number(value) : value,
    ),
    IsInt({
      message: 'Input should be a valid integer, unable to parse string as an integer',
      context: { type: 'int_parsing' },
    }),
    Min(minimum, { message: `Input should be greater than or equal to ${minimum}` }),
    Max(maximum, { message: `Input should be less than or equal to ${maximum}` }),
  );

const BOOLEANS: Record<string, boolean> = { true: true, false: false, '1': true, '0': false };

/** The value must be `true`, `false`, `1` or `0`, in a query. The route gets a boolean. */
export const IsQueryBoolean = (fallback?: boolean): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ type: 'boolean', required: false, ...(fallback !== undefined && { default: fallback }) }),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? (BOOLEANS[value.toLowerCase()] ?? value) : value,
    ),
    IsBoolean({
      message: 'Input should be a valid boolean, unable to interpret input',
      context: { type: 'bool_parsing' },
    }),
  );
