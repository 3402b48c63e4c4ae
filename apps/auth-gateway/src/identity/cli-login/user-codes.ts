import type { Keyring } from '@platform/platform';
import { randomInt } from 'node:crypto';

/** No vowels, so no words; no letter that looks like another or like a digit (RFC 8628 section 6.1). 20^8 codes. */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;
const PURPOSE = 'user-code';

/** A random code as it is stored: without its hyphen. */
export const newUserCode = (): string => Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

/** As a person sees it. */
export const shownUserCode = (code: string): string => `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;

export const hashUserCode = (keyring: Keyring, code: string): Buffer => keyring.mac(PURPOSE, code) as Buffer;

/** Under every key, since a code may have been made before the newest. */
export const possibleHashes = (keyring: Keyring, code: string): Buffer[] =>
  keyring.ids.map((id) => keyring.mac(PURPOSE, code, id) as Buffer);
