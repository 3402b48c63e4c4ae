import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';
import { isAtMost } from './validators.js';

/** Enough for an IPv6 address with a zone, brackets, quotes and a port. */
const MAX_LENGTH = 128;
const QUOTED = /^"([^"]*)"$/;
const BRACKETED = /^\[([^[\]]*)\](?::[\w.-]+)?$/;
const PORT = /:(?:\d{1,5}|_[\w.-]+)$/; // Port, or the hidden port of a proxy (RFC 7239 section 6.2).
const ZONE = /%.+$/;

/**
 * Normalises an IP address as proxies, sockets and people write it: with a port, brackets, a zone,
 * quotes, spaces, capitals, or leading zeros in IPv6. The result has the form of RFC 5952, without
 * a zone, which is only valid on one machine; IPv4 in the form `::ffff:…` becomes IPv4. Null for
 * anything else: names, `unknown`, `_hidden`, and IPv4 with leading zeros, which some programs read
 * as octal.
 */
export function canonicalIpAddress(text: string): string | null {
  if (!isAtMost(MAX_LENGTH, text)) return null;
  if (isIP(text) === 4) return text;
  const unquoted = text.trim().replace(QUOTED, '$1').trim();
  const bare = unquoted.replace(BRACKETED, '$1');
  // The unchanged text is tried first, because the last part of an IPv6 address without brackets
  // can look like a port.
  return canonical(bare) ?? (bare === unquoted ? canonical(bare.replace(PORT, '')) : null);
}

function canonical(address: string): string | null {
  const withoutZone = address.includes(':') ? address.replace(ZONE, '') : address;
  return isIP(withoutZone) ? ipaddr.process(withoutZone).toString() : null;
}

/** The value must be an IP address. The route gets the form of `canonicalIpAddress`. */
export const IsIpAddress = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ example: '203.0.113.7' }),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? (canonicalIpAddress(value) ?? value) : value,
    ),
    ValidateBy(
      { name: 'isIpAddress', validator: { validate: (value) => isAtMost(MAX_LENGTH, value) && isIP(value) > 0 } },
      { message: 'Input should be an IP address', context: { type: 'value_error' } },
    ),
  );
