import type { JsonValue } from '@platform/app-document';
import { isDeeperThan } from '@platform/platform';
import { CODE_LIMITS } from '../code-limits.js';
import { CodeErrors } from './code.errors.js';

/**
 * Parses JSON from the sandbox. Drops keys named `__proto__`, which would change the prototype of
 * an object that they are copied into.
 *
 * @throws ExtensionError JSON_INVALID if it is nested deeper than `depth` (32 levels by default) or
 * is not JSON; only the handler can cause this.
 */
export function parseSandboxJson(text: string, depth: number = CODE_LIMITS.depth): JsonValue {
  if (isDeeperThan(Buffer.from(text), depth)) throw CodeErrors.tooDeep();
  // Escapes can hide the key.
  const isSuspect = text.includes('__proto__') || text.includes('\\u00');
  try {
    return JSON.parse(
      text,
      isSuspect ? (key, value: JsonValue) => (key === '__proto__' ? undefined : value) : undefined,
    ) as JsonValue;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw CodeErrors.noJson();
  }
}
