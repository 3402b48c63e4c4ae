import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import { LIMITS } from './limits.js';

/** Compiling takes a millisecond, and every version of an app contains the same patterns. */
const compiled = new LRUCache<string, RE2JS>({ max: 500 });

/**
 * Compiles a regular expression whose matching time is proportional to the text, for every pattern.
 * Lookaround and backreferences are not supported.
 *
 * @throws Error with a message for the developer, if the pattern is not valid, longer than 256
 * characters, or too large when it is compiled.
 */
export function compilePattern(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known) return known;
  if (pattern.length > LIMITS.patternLength)
    throw new Error(`A pattern may have at most ${LIMITS.patternLength} characters.`);
  const regexp = RE2JS.compile(RE2JS.translateRegExp(pattern));
  if (regexp.programSize() > LIMITS.patternProgram) throw new Error('This pattern is too large. Repeat less.');
  compiled.set(pattern, regexp);
  return regexp;
}
