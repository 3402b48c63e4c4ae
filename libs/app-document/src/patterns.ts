import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import { LIMITS } from './limits.js';

/** Compiling takes a millisecond, and the same patterns come with every version of an app. */
const compiled = new LRUCache<string, RE2JS>({ max: 500 });

/**
 * A regular expression that takes time in proportion to the text, whoever wrote it. It knows no lookaround and no backreferences.
 *
 * @throws Error with a message for the developer.
 */
export function compilePattern(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known) return known;
  if (pattern.length > LIMITS.patternLength) throw new Error(`A pattern may have at most ${LIMITS.patternLength} characters.`);
  const regexp = RE2JS.compile(RE2JS.translateRegExp(pattern));
  if (regexp.programSize() > LIMITS.patternProgram) throw new Error('This pattern is too large. Repeat less.');
  compiled.set(pattern, regexp);
  return regexp;
}
