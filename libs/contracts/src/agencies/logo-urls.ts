import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsString, MaxLength, ValidateBy } from 'class-validator';
import { hostName } from '../host-names.js';

const MAX_LENGTH = 1_024;
/** RFC 3986 section 2: whatever else a URL is made of is percent-encoded. So no control character, space, backslash or quote is in it. */
const URL_CHARACTERS = /^[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/;
const ANY_PANEL = 'https://panel.invalid';

/** Whether a browser that is given this for a picture loads it from the panel itself (`/path`), or by https from a host with a name. */
export function isLogoUrl(text: string): boolean {
  if (text.length > MAX_LENGTH || !URL_CHARACTERS.test(text)) return false;
  return text.startsWith('/') ? isPanelPath(text) : isHttpsUrl(text);
}

/** `//host` is another host's, and so is what becomes that when its dots are resolved: `/.//host`. */
function isPanelPath(text: string): boolean {
  if (text.startsWith('//') || !URL.canParse(text, ANY_PANEL)) return false;
  const { origin, pathname } = new URL(text, ANY_PANEL);
  return origin === ANY_PANEL && !pathname.startsWith('//');
}

/** The parser forgives `https:host`, `https:/host` and an empty user, so what it takes is not enough. */
function isHttpsUrl(text: string): boolean {
  const authority = /^https:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (!authority || authority.includes('@') || !URL.canParse(text)) return false;
  return hostName(new URL(text).hostname) !== null;
}

/** The address of a picture. It is never fetched by the platform. */
export const IsLogoUrl = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ maxLength: MAX_LENGTH, example: 'https://cdn.example.com/logo.svg' }),
    IsString({ message: 'Input should be a valid string' }),
    MaxLength(MAX_LENGTH, { message: `String should have at most ${MAX_LENGTH} characters` }),
    ValidateBy(
      {
        name: 'isLogoUrl',
        validator: { validate: (value) => typeof value === 'string' && (value.length > MAX_LENGTH || isLogoUrl(value)) },
      },
      {
        message: 'Input should be an https URL with a host name, or a path of the panel such as /logo.svg',
        context: { type: 'value_error' },
      },
    ),
  );
