import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsString, ValidateBy } from 'class-validator';
import { hasUrlCharacters, isHttpsUrl } from '../https-urls.js';
import { HasAtMost } from '../validators.js';

const MAX_LENGTH = 1_024;
const ANY_PANEL = 'https://panel.invalid';

/** Whether a browser that is given this for a picture loads it from the panel itself (`/path`), or by https from a host with a name. */
export function isLogoUrl(text: string): boolean {
  return text.startsWith('/') ? isPanelPath(text) : isHttpsUrl(text, MAX_LENGTH);
}

/** `//host` is another host's, and so is what becomes that when its dots are resolved: `/.//host`. */
function isPanelPath(text: string): boolean {
  if (!hasUrlCharacters(text, MAX_LENGTH) || text.startsWith('//') || !URL.canParse(text, ANY_PANEL)) return false;
  const { origin, pathname } = new URL(text, ANY_PANEL);
  return origin === ANY_PANEL && !pathname.startsWith('//');
}

/** The address of a picture. It is never fetched by the platform. */
export const IsLogoUrl = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ maxLength: MAX_LENGTH, example: 'https://cdn.example.com/logo.svg' }),
    IsString({ message: 'Input should be a valid string' }),
    HasAtMost(MAX_LENGTH),
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
