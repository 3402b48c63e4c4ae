import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsBoolean, IsIn, IsInt, IsString, Max, Min, type ValidationOptions, ValidateBy } from 'class-validator';
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

/** Limits the length before every pattern, and so the time that the pattern can take. */
export const isAtMost = (max: number, value: unknown): value is string => typeof value === 'string' && value.length <= max;

const failsAs = (type: string, message: string): ValidationOptions => ({ message, context: { type } });

/**
 * An email address without a display name. Surrounding spaces are removed, and the route gets the
 * form of `emailAddress`.
 */
export const IsEmailAddress = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ format: 'email', maxLength: MAX_EMAIL_LENGTH, example: 'ada@example.com' }),
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? (emailAddress(value.trim()) ?? value) : value)),
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
 * A new password: 8 to 128 characters, counted in code points as people count them, not in UTF-16
 * units.
 */
export const IsNewPassword = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ format: 'password', minLength: MIN_PASSWORD_LENGTH, maxLength: MAX_PASSWORD_LENGTH, example: 'correct horse battery' }),
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

/** An existing password, to be verified. */
export const IsPassword = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ format: 'password', maxLength: MAX_PASSWORD_LENGTH, example: 'correct horse battery' }),
    IsString({ message: 'Input should be a valid string' }),
    HasAtMost(MAX_PASSWORD_LENGTH),
  );

export const isTenantId = (value: unknown): value is string => isAtMost(63, value) && TENANT_ID.test(value);

/** Tenant of the request. Default: `default`. */
export const IsTenantId = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ required: false, default: DEFAULT_TENANT, pattern: TENANT_ID.source }),
    IsString({ message: 'Input should be a valid string' }),
    ValidateBy(
      { name: 'isTenantId', validator: { validate: isTenantId } },
      failsAs('string_pattern_mismatch', `String should match pattern '${TENANT_ID.source}'`),
    ),
  );

/** An opaque token of the platform. */
export const IsToken = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ maxLength: MAX_TOKEN_LENGTH }),
    IsString({ message: 'Input should be a valid string' }),
    HasAtMost(MAX_TOKEN_LENGTH),
  );

/** A list of at most `most` texts with at most `length` characters each. */
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

/** Any text. The route checks its content. */
export const IsText = (max: number): PropertyDecorator =>
  applyDecorators(ApiProperty({ maxLength: max }), IsString({ message: 'Input should be a valid string' }), HasAtMost(max));

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
 * A line of text that a person typed, such as a name. It appears in mails and prompts, where a
 * second line could pass for a line of the platform.
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
 * Name of a person. Mails greet with it, including mails that a stranger can cause, so it must not
 * become a link.
 */
export const IsPersonName = (max: number): PropertyDecorator =>
  applyDecorators(
    IsLine(max),
    ValidateBy(
      { name: 'isNoLink', validator: { validate: (value) => !isAtMost(2 * max, value) || NO_LINE.test(value) || !mayBecomeLink(value) } },
      failsAs('value_error', 'A name should not contain a web or email address'),
    ),
  );

/** Text of several lines that a person typed, such as a description. */
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

/** A word of a fixed list. With a default, the field is optional. */
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

/** Id of an app that may exist, also outside this platform. Ids of new apps have stricter rules. */
export const IsAppId = (): PropertyDecorator => IsPattern(APP_ID, { maxLength: 64, example: 'invoices' });

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A UUID in lower case, as the platform writes them. */
export const IsUuid = (): PropertyDecorator => IsPattern(UUID, { maxLength: 36, example: '019346e0-0000-7000-8000-000000000001' });

/** Only the rule, without documentation, for a value that the request has in another form. */
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

/** A whole number from 1 to 2 147 483 647 as text. A JSON number is also accepted. */
export const IsPositiveIntegerText = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ pattern: '^[1-9][0-9]{0,9}$' }),
    Transform(({ value }: { value: unknown }) => (Number.isInteger(value) ? String(value) : value)),
    IsString({ message: 'Input should be a valid string' }),
    ValidateBy(
      {
        name: 'isPositiveIntegerText',
        validator: { validate: (value) => isAtMost(10, value) && /^[1-9]\d{0,9}$/.test(value) && Number(value) <= MAX_INTEGER },
      },
      failsAs('int_parsing', 'Input should be a valid integer'),
    ),
  );

/** Counted in code points. The field must document the minimum as `minLength`. */
export function HasAtLeast(min: number): PropertyDecorator {
  return ValidateBy(
    { name: 'tooShort', validator: { validate: (value) => typeof value === 'string' && hasAtLeast(min, value) } },
    failsAs('string_too_short', `String should have at least ${min} characters`),
  );
}

/** Counted in code points. */
export function HasAtMost(max: number): PropertyDecorator {
  return ValidateBy(
    { name: 'tooLong', validator: { validate: (value) => typeof value === 'string' && hasAtMost(max, value) } },
    failsAs('string_too_long', `String should have at most ${max} characters`),
  );
}

/** A JSON boolean. */
export const IsTrueOrFalse = (): PropertyDecorator =>
  applyDecorators(ApiProperty({ type: 'boolean' }), IsBoolean({ message: 'Input should be a valid boolean' }));

/** A whole JSON number. With a default, the field is optional. */
export const IsWholeNumber = (minimum: number, maximum: number, fallback?: number): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ type: 'integer', minimum, maximum, ...(fallback !== undefined && { required: false, default: fallback }) }),
    IsInt({ message: 'Input should be a valid integer' }),
    Min(minimum, { message: `Input should be greater than or equal to ${minimum}` }),
    Max(maximum, { message: `Input should be less than or equal to ${maximum}` }),
  );

export interface IntegerRange {
  minimum: number;
  maximum: number;
  default?: number;
}

/** A whole number in a query or a path. */
export const IsQueryInteger = ({ minimum, maximum, default: fallback }: IntegerRange): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ type: 'integer', minimum, maximum, ...(fallback !== undefined && { required: false, default: fallback }) }),
    Transform(({ value }: { value: unknown }) => (isAtMost(16, value) && /^-?\d{1,15}$/.test(value) ? Number(value) : value)),
    IsInt({ message: 'Input should be a valid integer, unable to parse string as an integer', context: { type: 'int_parsing' } }),
    Min(minimum, { message: `Input should be greater than or equal to ${minimum}` }),
    Max(maximum, { message: `Input should be less than or equal to ${maximum}` }),
  );

const BOOLEANS: Record<string, boolean> = { true: true, false: false, '1': true, '0': false };

/** `true`, `false`, `1` or `0` in a query. */
export const IsQueryBoolean = (fallback?: boolean): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ type: 'boolean', required: false, ...(fallback !== undefined && { default: fallback }) }),
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? (BOOLEANS[value.toLowerCase()] ?? value) : value)),
    IsBoolean({ message: 'Input should be a valid boolean, unable to interpret input', context: { type: 'bool_parsing' } }),
  );
