import { ExtensionError } from './extension-error.js';
import { jsonText } from './json-text.js';

export const MAX_CACHE_VALUE_BYTES = 65_536;
/** Most entries of one user of an app. The entry that expires first makes room for a new one. */
export const MAX_CACHE_ENTRIES = 500;
export const DEFAULT_TTL_SECONDS = 60;

const KEY = /^[A-Za-z0-9_:-]{1,128}$/;
const MIN_TTL_SECONDS = 5;
const MAX_TTL_SECONDS = 300;

const CacheErrors = {
  keyInvalid: () =>
    new ExtensionError(
      'CACHE_KEY_INVALID',
      'The key must have 1 to 128 characters of A-Z, a-z, 0-9, "_", ":" and "-".',
    ),
  ttlInvalid: (min: number, max: number) =>
    new ExtensionError('CACHE_TTL_INVALID', `The lifetime of a value must be from ${min} to ${max} seconds.`),
  tooLarge: () =>
    new ExtensionError('CACHE_VALUE_TOO_LARGE', `A value can have at most ${MAX_CACHE_VALUE_BYTES} bytes as JSON.`),
};

/**
 * Checks a key of the cache.
 *
 * @throws ExtensionError CACHE_KEY_INVALID unless it has 1 to 128 characters of A-Z, a-z, 0-9, `_`,
 * `:` and `-`.
 */
export function assertCacheKey(key: string): void {
  if (typeof key !== 'string' || !KEY.test(key)) throw CacheErrors.keyInvalid();
}

/**
 * Checks the lifetime of a cached value.
 *
 * @throws ExtensionError CACHE_TTL_INVALID unless it is from 5 to 300 seconds.
 */
export function assertCacheTtl(seconds: number): void {
  if (!(seconds >= MIN_TTL_SECONDS && seconds <= MAX_TTL_SECONDS))
    throw CacheErrors.ttlInvalid(MIN_TTL_SECONDS, MAX_TTL_SECONDS);
}

/**
 * Returns the JSON text of a cached value.
 *
 * @throws ExtensionError JSON_INVALID if JSON cannot represent the value, CACHE_VALUE_TOO_LARGE
 * above 64 KiB.
 */
export function cacheText(value: unknown): string {
  const text = jsonText(value);
  if (Buffer.byteLength(text) > MAX_CACHE_VALUE_BYTES) throw CacheErrors.tooLarge();
  return text;
}
