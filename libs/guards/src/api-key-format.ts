import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LOOKUP_LENGTH = 12;
/** 256 bits. */
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;

/** Prefix of every key, for secret scanners, and to tell a key from an access token. */
export const API_KEY_PREFIX = 'cp_live_';

const FORMAT = new RegExp(
  `^(${API_KEY_PREFIX}([0-9A-Za-z]{${LOOKUP_LENGTH}})_([0-9A-Za-z]{${SECRET_LENGTH}}))_([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`,
);

export interface ApiKeyParts {
  /** Identifies the key in the database; not secret. */
  lookup: string;
  secret: string;
}

/**
 * Makes a new random API key, `cp_live_<lookup>_<secret>_<checksum>`. It has only letters, digits
 * and underscores, so that a double click selects the whole key.
 */
export function generateApiKey(): ApiKeyParts & { key: string } {
  const lookup = randomText(LOOKUP_LENGTH);
  const secret = randomText(SECRET_LENGTH);
  const body = `${API_KEY_PREFIX}${lookup}_${secret}`;
  return { key: `${body}_${checksum(body)}`, lookup, secret };
}

/**
 * Splits an API key into its parts. Null if it does not have the form of a key, or its checksum is
 * wrong because it is mistyped. Needs no database query.
 */
export function parseApiKey(key: string): ApiKeyParts | null {
  const [, body = '', lookup = '', secret = '', sum] = FORMAT.exec(key) ?? [];
  return sum && sum === checksum(body) ? { lookup, secret } : null;
}

const randomText = (length: number): string =>
  Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let at = 0; at < CHECKSUM_LENGTH; at++) {
    text = `${ALPHABET[rest % ALPHABET.length]}${text}`;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}
