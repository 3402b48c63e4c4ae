import type { JsonValue } from '@platform/app-document';
import { deeperThan } from '@platform/platform';
import { CODE_LIMITS } from '../code-limits.js';
import { CodeErrors } from './code.errors.js';

/**
 * JSON that comes out of the sandbox, as data: without keys named `__proto__`, which would change the prototype of whatever they are
 * copied into.
 *
 * @throws ExtensionError JSON_INVALID when it is nested too deep, or no JSON: only the handler can have brought that about.
 */
export function sandboxedJson(text: string, depth: number = CODE_LIMITS.depth): JsonValue {
  if (deeperThan(Buffer.from(text), depth)) throw CodeErrors.tooDeep();
  // A key can also be written with escapes.
  const isSuspect = text.includes('__proto__') || text.includes('\\u00');
  try {
    return JSON.parse(text, isSuspect ? (key, value: JsonValue) => (key === '__proto__' ? undefined : value) : undefined) as JsonValue;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw CodeErrors.noJson();
  }
}
