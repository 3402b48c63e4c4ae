import { isSecretKey } from '@platform/contracts';

const REDACTED = '[redacted]';

/**
 * Copies a JSON value. The values of keys with names of secrets, such as `password`, become
 * `[redacted]`, at any depth.
 */
export function redacted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redacted);
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, isSecretKey(key) ? REDACTED : redacted(item)]),
  );
}
