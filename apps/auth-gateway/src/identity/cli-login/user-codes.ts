import type { Keyring } from '@platform/platform';
import { randomInt } from 'node:crypto';

/**
 * No vowels, so that codes are not words, and no letters that look like other letters or digits
 * (RFC 8628 section 6.1). 20^8 codes.
 */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;
const PURPOSE = 'user-code';

/** Makes a random user code in its stored form, without the hyphen. */
export const createUserCode = (): string =>
  Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

/** Formats a stored user code for people, with a hyphen: `BCDF-GHJK`. */
export const formatUserCode = (code: string): string => `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;

export const hashUserCode = (keyring: Keyring, code: string): Buffer => keyring.mac(PURPOSE, code) as Buffer;

/**
 * Hashes a user code with each key of the keyring, because it may have been stored with an older
 * key.
 */
export const hashWithAllKeys = (keyring: Keyring, code: string): Buffer[] =>
  keyring.ids.map((id) => keyring.mac(PURPOSE, code, id) as Buffer);
