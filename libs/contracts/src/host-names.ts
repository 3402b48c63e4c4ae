import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { isFQDN, IsString, ValidateBy } from 'class-validator';
import { domainToASCII } from 'node:url';

const MAX_LENGTH = 255;
const MAX_NAME_LENGTH = 253; // RFC 1035 section 2.3.4, without the length octets

/**
 * Normalises a host name to the form of DNS: lower case, other scripts in their ASCII form (IDNA).
 * Null if it is not a host name; an IP address is not one.
 */
export function hostName(text: string): string | null {
  // `domainToASCII` would remove or decode other characters instead of refusing them.
  if (text.length > MAX_LENGTH || !/^[\p{L}\p{M}\p{N}.-]+$/u.test(text)) return null;
  const name = domainToASCII(text);
  return name.length <= MAX_NAME_LENGTH && isFQDN(name) ? name : null;
}

/**
 * The value must be a host name. Surrounding spaces are removed, and the route gets the form of
 * `hostName`.
 */
export const IsHostName = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ maxLength: MAX_LENGTH, example: 'acme.example.com' }),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? (hostName(value.trim()) ?? value) : value,
    ),
    IsString({ message: 'Input should be a valid string' }),
    ValidateBy(
      { name: 'isHostName', validator: { validate: (value) => typeof value === 'string' && hostName(value) !== null } },
      { message: 'Input should be a host name such as acme.example.com', context: { type: 'value_error' } },
    ),
  );
