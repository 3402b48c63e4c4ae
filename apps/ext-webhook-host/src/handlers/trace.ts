import type { JsonValue } from '@platform/app-document';
import { ExtensionError } from '@platform/extension-sdk/runtime';
import type { TracedStep } from './handler-runtime.js';
import { jsonSize } from './json-size.js';

/** Action in a trace: a step, or a context call of JavaScript code. */
type Traced = Pick<TracedStep, 'id' | 'kind' | 'action'>;

/** Largest size of one result, and of all results together. */
const MAX_RESULT = 16 * 1024;
const MAX_RESULTS = 256 * 1024;

/** Records the outcome of steps. A result that is too large is replaced by a text with its size. */
export class Trace {
  private size = 0;

  constructor(private readonly steps: TracedStep[]) {}

  recordSuccess(step: Traced, result: JsonValue, started: number): void {
    this.add(step, true, step.kind.startsWith('secret') ? { value: '[secret]' } : this.short(result), started);
  }

  recordFailure(step: Traced, failure: unknown, started: number): void {
    const result = failure instanceof ExtensionError ? { error: failure.message, error_code: failure.code } : null;
    this.add(step, false, result, started);
  }

  private add({ id, kind, action }: Traced, ok: boolean, result: JsonValue, started: number): void {
    this.steps.push({ id, kind, action, ok, result, ms: Math.round((performance.now() - started) * 100) / 100 });
  }

  private short(result: JsonValue): JsonValue {
    const size = jsonSize(result);
    if (size > MAX_RESULT || this.size + size > MAX_RESULTS) return `[${size} bytes]`;
    this.size += size;
    return result;
  }
}
