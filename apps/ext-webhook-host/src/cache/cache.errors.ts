import { ExtensionError } from '../extension-error.js';
import { MAX_CACHE_VALUE_BYTES } from './cache-entry.entity.js';

export const CacheErrors = {
  keyInvalid: () => new ExtensionError('CACHE_KEY_INVALID', 'The key has 1 to 128 characters of A-Z, a-z, 0-9, "_", ":" and "-".'),
  ttlInvalid: (min: number, max: number) => new ExtensionError('CACHE_TTL_INVALID', `A value is kept from ${min} to ${max} seconds.`),
  tooLarge: () => new ExtensionError('CACHE_VALUE_TOO_LARGE', `A value has at most ${MAX_CACHE_VALUE_BYTES} bytes as JSON.`),
};
