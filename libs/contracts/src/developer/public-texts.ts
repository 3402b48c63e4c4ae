import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsString, ValidateBy } from 'class-validator';
import { hostName } from '../host-names.js';
import { hasUrlCharacters, isHttpsUrl } from '../https-urls.js';
import { IsText } from '../validators.js';

// Texts of developers that are public. The platform never requests the addresses in them.

const MAX_URL_LENGTH = 500;
const MIN_GIT_URL_LENGTH = 10;
const MAX_ICON_LENGTH = 200;
const MAX_TAGS = 10;
const TAG = /^[a-z0-9][a-z0-9-]{0,29}$/;
const MAX_TAG_LENGTH = 30;

/**
 * The text must have at least one character when surrounding spaces are removed. Used in addition
 * to the rule for the allowed characters.
 */
export const IsNotBlank = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ minLength: 1 }),
    ValidateBy(
      { name: 'isNotBlank', validator: { validate: (value) => typeof value === 'string' && value.trim() !== '' } },
      { message: 'String should have at least 1 character that is not a space', context: { type: 'string_too_short' } },
    ),
  );

const IsTextThat = (
  max: number,
  rule: (text: string) => boolean,
  message: string,
  documented: object,
): PropertyDecorator =>
  applyDecorators(
    IsText(max),
    ApiProperty(documented),
    ValidateBy(
      {
        name: 'isTextThat',
        validator: { validate: (value) => typeof value === 'string' && (value.length > max || rule(value)) },
      },
      { message, context: { type: 'value_error' } },
    ),
  );

export const IsWebsite = (): PropertyDecorator =>
  IsTextThat(
    MAX_URL_LENGTH,
    (text) => isHttpsUrl(text, MAX_URL_LENGTH),
    'Input should be an https URL with a host name',
    {
      example: 'https://ada.example.com',
    },
  );

export const IsGitUrl = (): PropertyDecorator =>
  IsTextThat(
    MAX_URL_LENGTH,
    isGitUrl,
    'Input should be the https or ssh address of a git repository, without a password',
    {
      minLength: MIN_GIT_URL_LENGTH,
      example: 'https://git.example.com/ada/invoices.git',
    },
  );

/**
 * True for an https or ssh address of a git repository, also in the form `user@host:path`. It must
 * not look like an option of `git` or `ssh`, and it must not have a password, because everybody who
 * can read the app sees it.
 */
export function isGitUrl(text: string): boolean {
  if (text.length < MIN_GIT_URL_LENGTH || !hasUrlCharacters(text, MAX_URL_LENGTH)) return false;
  if (/^https:/i.test(text)) return isHttpsUrl(text, MAX_URL_LENGTH);
  if (/^ssh:\/\//i.test(text)) return isSshUrl(text);
  // Form of scp: user@host:path.
  const {
    user = '',
    host = '',
    path = '',
  } = /^(?<user>[^@:/]+)@(?<host>[^@:/]+):(?<path>.+)$/.exec(text)?.groups ?? {};
  return isUserName(user) && hostName(host) !== null && /^[\w~/.]/.test(path);
}

function isSshUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password, hostname, pathname } = new URL(text);
  return (username === '' || isUserName(username)) && !password && hostName(hostname) !== null && pathname.length > 1;
}

const isUserName = (text: string): boolean => /^\w[\w.-]*$/.test(text);

export const IsAppIcon = (): PropertyDecorator =>
  IsTextThat(MAX_ICON_LENGTH, isAppIcon, 'Input should be an https URL, an emoji or the name of an icon', {
    example: '\u{1f9fe}',
  });

/**
 * True for the name of an icon of the panel, an emoji, or an https address of a picture. Refuses
 * texts that a page could read as markup or as another address.
 */
export function isAppIcon(text: string): boolean {
  return isHttpsUrl(text, MAX_ICON_LENGTH) || /^[\p{L}\p{N}\p{M}\p{So}\p{Sk}\p{Emoji}\u200d _-]+$/u.test(text);
}

export const IsTags = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ type: [String], maxItems: MAX_TAGS, example: ['invoices', 'pdf'] }),
    IsArray({ message: 'Input should be a valid list' }),
    ArrayMaxSize(MAX_TAGS, { message: `List should have at most ${MAX_TAGS} items` }),
    IsString({ each: true, message: 'Each item should be a valid string' }),
    ValidateBy(
      {
        name: 'areTags',
        validator: { validate: (value) => Array.isArray(value) && value.every(isTag) },
      },
      { message: `Each item should match pattern '${TAG.source}'`, context: { type: 'string_pattern_mismatch' } },
    ),
  );

const isTag = (value: unknown): boolean =>
  typeof value === 'string' && value.length <= MAX_TAG_LENGTH && TAG.test(value);
