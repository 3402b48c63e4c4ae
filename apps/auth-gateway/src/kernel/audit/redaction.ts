import { isSecretKey } from '@platform/contracts';

const REDACTED = '[redacted]';

/**
 * Copies a JSON value. The values of keys with names of secrets, such as `password`, become
 * `[redacted]`, at any depth.
 */
export function redact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redact);
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, isSecretKey(key) ? REDACTED : redact(item)]),
  );
}
