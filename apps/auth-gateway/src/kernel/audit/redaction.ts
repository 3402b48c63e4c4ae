import { isSecretKey } from '@platform/contracts';

const REDACTED = '[redacted]';

/** Copies a value and replaces the values of secret keys, at any depth. */
export function redacted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redacted);
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, isSecretKey(key) ? REDACTED : redacted(item)]));
}
