import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsString, ValidateBy } from 'class-validator';
import { hasUrlCharacters, isHttpsUrl } from '../https-urls.js';
import { HasAtMost } from '../validators.js';

const MAX_LENGTH = 1_024;
const ANY_PANEL = 'https://panel.invalid';

/**
 * True if a browser loads the picture from the panel itself (`/path`) or by https from a host with
 * a name.
 */
export function isLogoUrl(text: string): boolean {
  return text.startsWith('/') ? isPanelPath(text) : isHttpsUrl(text, MAX_LENGTH);
}

/**
 * True for a path of the panel, such as `/logo.svg`. False for `//host`, which is an address of
 * another host, and for a path that becomes one when its dots are resolved, such as `/.//host`.
 */
function isPanelPath(text: string): boolean {
  if (!hasUrlCharacters(text, MAX_LENGTH) || text.startsWith('//') || !URL.canParse(text, ANY_PANEL)) return false;
  const { origin, pathname } = new URL(text, ANY_PANEL);
  return origin === ANY_PANEL && !pathname.startsWith('//');
}

/**
 * The value must be an address of a picture for which `isLogoUrl` is true. The platform never
 * requests it.
 */
export const IsLogoUrl = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ maxLength: MAX_LENGTH, example: 'https://cdn.example.com/logo.svg' }),
    IsString({ message: 'Input should be a valid string' }),
    HasAtMost(MAX_LENGTH),
    ValidateBy(
      {
        name: 'isLogoUrl',
        validator: {
          validate: (value) => typeof value === 'string' && (value.length > MAX_LENGTH || isLogoUrl(value)),
        },
      },
      {
        message: 'Input should be an https URL with a host name, or a path of the panel such as /logo.svg',
        context: { type: 'value_error' },
      },
    ),
  );
