import { COMPARISONS, type JsonValue } from './document.js';
import { within, type IssueList } from './issues.js';
import { isObject } from './json.js';

const MESSAGE = `A condition is {"field": …} with one of ${COMPARISONS.join(', ')}, or just one of "and", "or" (lists) and "not".`;

export function checkCondition(condition: JsonValue | undefined, pointer: string, issues: IssueList): void {
  const keys = isObject(condition) ? Object.keys(condition) : [];
  const [key] = keys;
  if (isObject(condition) && keys.length === 1 && (key === 'and' || key === 'or')) {
    const parts = condition[key];
    if (Array.isArray(parts) && parts.length) {
      for (const [at, part] of parts.entries()) checkCondition(part, within(pointer, key, at), issues);
      return;
    }
  } else if (isObject(condition) && keys.length === 1 && key === 'not') {
    checkCondition(condition[key], within(pointer, key), issues);
    return;
  }
  const tests = keys.filter((name) => COMPARISONS.some((known) => known === name));
  if (keys.length !== 2 || tests.length !== 1 || !keys.includes('field')) issues.add(pointer, 'condition', MESSAGE);
}
