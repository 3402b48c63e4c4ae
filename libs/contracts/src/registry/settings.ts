import { isRecord, type IssueWithin } from '../issues-within.js';
import { isSecretKey } from '../secret-keys.js';

/** Maximum size of an app's settings as JSON, without settings of tenants. */
export const MAX_APP_SETTINGS_BYTES = 64 * 1024;
/** Maximum size of an app's settings for one tenant as JSON. */
export const MAX_TENANT_SETTINGS_BYTES = 16 * 1024;

/** Keys that change the prototype when objects are merged. */
const PROTOTYPE_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Finds the problems of an update of an app's settings: keys that change a prototype, and anything
 * but an object. Empty if there are none. `path` is relative to the update.
 */
export function appSettingsIssues(update: unknown): IssueWithin[] {
  if (!isRecord(update)) return [{ path: [], msg: 'Input should be a valid dictionary', type: 'dict_type' }];
  return [...refusedKeys(update, [])];
}

function* refusedKeys(value: unknown, path: (string | number)[]): Generator<IssueWithin> {
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) yield* refusedKeys(item, [...path, at]);
  } else if (isRecord(value)) {
    for (const [key, item] of Object.entries(value)) {
      const place = [...path, key];
      if (PROTOTYPE_KEYS.has(key)) yield { path: place, msg: 'This key is not allowed', type: 'extra_forbidden' };
      else if (isSecretKey(key))
        yield { path: place, msg: 'A key that names a secret is not allowed in settings', type: 'value_error' };
      else yield* refusedKeys(item, place);
    }
  }
}
