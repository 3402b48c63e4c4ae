import { randomBytes } from 'node:crypto';
import { findNicknameRefusal } from '../../identity/nicknames/reserved-nicknames.js';

const MAX_LENGTH = 30;
const RANDOM_BYTES = 3;
const ATTEMPTS_AT_RANDOM = 3;
/** Used if the name has no characters that a handle can contain. */
const FALLBACK = 'dev';

/**
 * Returns nicknames to try for a developer who has requested none: one made from the display name,
 * if that gives a valid one, then three with random suffixes in case it is taken.
 */
export function suggestHandles(displayName: string): string[] {
  const name = handleOf(displayName);
  const stem = (name ?? FALLBACK).slice(0, MAX_LENGTH - 2 * RANDOM_BYTES - 1);
  const random = Array.from(
    { length: ATTEMPTS_AT_RANDOM },
    () => `${stem}-${randomBytes(RANDOM_BYTES).toString('hex')}`,
  );
  return name ? [name, ...random] : random;
}

/**
 * Makes a nickname from a display name: `Ada Lövelace & Co.` becomes `ada-lovelace-co`. Null if the
 * result is not a valid nickname.
 */
function handleOf(displayName: string): string | null {
  const handle = displayName
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^[-_]+|[-_]+$/g, '');
  return findNicknameRefusal(handle) ? null : handle;
}
