import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { isEmail, IsString, MaxLength, ValidateBy, type ValidationOptions } from 'class-validator';

const MAX_EMAIL_LENGTH = 254; // RFC 5321 section 4.5.3.1.3, without the angle brackets
export const MIN_PASSWORD_LENGTH = 8;
export const MAX_PASSWORD_LENGTH = 128;
export const DEFAULT_TENANT = 'default';
const MAX_TOKEN_LENGTH = 2_048;
const TENANT_ID = /^[a-z0-9][a-z0-9_-]{0,62}$/;

/** What a person counts as characters, near enough; `length` counts UTF-16 units. */
const codePoints = (text: string): number => Array.from(text).length;

const failsAs = (type: string, message: string): ValidationOptions => ({ message, context: { type } });

/** One address, without display name. Surrounding spaces are dropped. */
export const IsEmailAddress = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ format: 'email', maxLength: MAX_EMAIL_LENGTH, example: 'ada@example.com' }),
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value)),
    IsString({ message: 'Input should be a valid string' }),
    ValidateBy(
      {
        name: 'isEmailAddress',
        validator: { validate: (value) => typeof value === 'string' && value.length <= MAX_EMAIL_LENGTH && isEmail(value) },
      },
      failsAs('value_error', 'value is not a valid email address'),
    ),
  );

/** A password to be set: 8 to 128 characters, counted as a person counts them (code points), not as UTF-16 units. */
export const IsNewPassword = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ format: 'password', minLength: MIN_PASSWORD_LENGTH, maxLength: MAX_PASSWORD_LENGTH, example: 'correct horse battery' }),
    IsString({ message: 'Input should be a valid string' }),
    ValidateBy(
      {
        name: 'passwordTooShort',
        validator: { validate: (value) => typeof value === 'string' && codePoints(value) >= MIN_PASSWORD_LENGTH },
      },
      failsAs('string_too_short', `String should have at least ${MIN_PASSWORD_LENGTH} characters`),
    ),
    HasAtMost(MAX_PASSWORD_LENGTH),
  );

/** A password to be checked. */
export const IsPassword = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ format: 'password', maxLength: MAX_PASSWORD_LENGTH, example: 'correct horse battery' }),
    IsString({ message: 'Input should be a valid string' }),
    HasAtMost(MAX_PASSWORD_LENGTH),
  );

/** The tenant that a request is for; `default` where it names none. */
export const IsTenantId = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ required: false, default: DEFAULT_TENANT, pattern: TENANT_ID.source }),
    IsString({ message: 'Input should be a valid string' }),
    ValidateBy(
      { name: 'isTenantId', validator: { validate: (value) => typeof value === 'string' && TENANT_ID.test(value) } },
      failsAs('string_pattern_mismatch', `String should match pattern '${TENANT_ID.source}'`),
    ),
  );

/** An opaque token of ours. */
export const IsToken = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ maxLength: MAX_TOKEN_LENGTH }),
    IsString({ message: 'Input should be a valid string' }),
    MaxLength(MAX_TOKEN_LENGTH, { message: `String should have at most ${MAX_TOKEN_LENGTH} characters` }),
  );

/** A line of text that a person typed, such as a name. */
export const IsLine = (max: number): PropertyDecorator =>
  applyDecorators(ApiProperty({ maxLength: max }), IsString({ message: 'Input should be a valid string' }), HasAtMost(max));

function HasAtMost(max: number): PropertyDecorator {
  return ValidateBy(
    { name: 'tooLong', validator: { validate: (value) => typeof value === 'string' && codePoints(value) <= max } },
    failsAs('string_too_long', `String should have at most ${max} characters`),
  );
}
