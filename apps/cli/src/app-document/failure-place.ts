import { relative } from 'node:path';
import { isObject } from '../text/json-values.js';
import type { CheckedFile, Place } from './document-file.js';

/** A step of a run, or the run of a JavaScript handler, as the platform reports it. */
export interface TracedStep {
  id: string;
  kind: string;
  ok: boolean;
  result: unknown;
}

export interface FailurePlace extends Place {
  file: string;
}

/**
 * Returns the position in the files of an app where a run failed: the line that threw, or the
 * failed step. Null if no step failed or the position is unknown.
 */
export function failurePlace(named: string, checked: CheckedFile, steps: readonly TracedStep[]): FailurePlace | null {
  // Nested steps end before the steps that called them, so the first failed step is the cause.
  const failed = steps.find(({ ok }) => !ok);
  if (!failed) return null;
  return failed.kind === 'code' ? placeInStack(named, checked, failed.result) : placeOfStep(named, checked, failed.id);
}

/**
 * Returns the position of the topmost frame of the stack trace in `result` that is in a file of the
 * app. Null if there is none.
 */
function placeInStack(named: string, { inputs }: CheckedFile, result: unknown): FailurePlace | null {
  const stack = isObject(result) && typeof result['stack'] === 'string' ? result['stack'] : '';
  for (const [, path = '', line, column] of stack.matchAll(/([\w@./\\-]+):(\d+):(\d+)\)?$/gm)) {
    const input = inputs.find((each) => each.replaceAll('\\', '/').endsWith(`/${path}`));
    if (input !== undefined) return { file: relative('.', input) || named, line: Number(line), column: Number(column) };
  }
  return null;
}

function placeOfStep(file: string, { value, locate }: CheckedFile, id: string): FailurePlace | null {
  const pointer = pointerOfStep(value, id, '');
  if (pointer === null) return null;
  const { line, column } = locate({ pointer: `${pointer}/id`, rule: 'value', message: '' });
  return { file, line, column };
}

/**
 * Returns the JSON pointer of the step with this id in a document; null if there is none. A step is
 * an object with an `op` or an `action`.
 */
function pointerOfStep(value: unknown, id: string, pointer: string): string | null {
  if (isObject(value) && value['id'] === id && ('op' in value || 'action' in value)) return pointer;
  const entries = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
  for (const [key, item] of entries) {
    const found = pointerOfStep(item, id, `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`);
    if (found !== null) return found;
  }
  return null;
}
