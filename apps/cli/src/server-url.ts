import { InvalidArgumentError } from 'commander';

export const DEFAULT_URL = 'http://localhost:4000';

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/** The address of a platform as it is used, compared and stored: without a slash at the end. */
export function parseServerUrl(text: string): string {
  if (!URL.canParse(text)) throw new InvalidArgumentError('It must be an address like https://platform.example.com.');
  const { protocol, origin, pathname, username, password, search, hash } = new URL(text);
  if (protocol !== 'http:' && protocol !== 'https:') throw new InvalidArgumentError('It must begin with https:// or http://.');
  if (username || password) throw new InvalidArgumentError('It must hold no name or password.');
  if (search || hash) throw new InvalidArgumentError('It must hold no ? or #.');
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}

/** Whether others on the way could read what is sent there. */
export function isReadableByOthers(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !LOOPBACK.test(hostname);
}
