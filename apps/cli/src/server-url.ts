import { InvalidArgumentError } from 'commander';

export const DEFAULT_URL = 'http://localhost:4000';

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * Parses the address of a platform. Removes slashes at the end, so that addresses can be compared.
 *
 * @throws InvalidArgumentError if it is not an http(s) address, or has a name, password, query or
 * fragment.
 */
export function parseServerUrl(text: string): string {
  if (!URL.canParse(text))
    throw new InvalidArgumentError('It must be an address such as https://platform.example.com.');
  const { protocol, origin, pathname, username, password, search, hash } = new URL(text);
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new InvalidArgumentError('It must begin with https:// or http://.');
  if (username || password) throw new InvalidArgumentError('It must not contain a name or password.');
  if (search || hash) throw new InvalidArgumentError('It must not contain ? or #.');
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}

/** True if the connection is not encrypted and leaves this computer. */
export function isReadableByOthers(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !LOOPBACK.test(hostname);
}
