import type { JsonValue } from '@platform/app-document';
import { Injectable } from '@nestjs/common';
import { ExtensionError } from '@platform/extension-sdk/runtime';
import type { CompiledHandler, HandlerResult, HandlerRuntime, RunInput } from '../handlers/handler-runtime.js';
import { jsonSize } from '../handlers/json-size.js';
import { Trace } from '../handlers/trace.js';
import type { Instruction, Program } from './program.js';
import type { StepHandler } from './step-handler.js';
import { StepRun } from './step-run.js';
import { AppFailure, StepErrors } from './values/steps.errors.js';

const MAX_RESULT_BYTES = 256 * 1024;

/** Runs the handlers that `compileApp` made from steps. */
@Injectable()
export class StepRuntimeService implements HandlerRuntime {
  async runHandler(handler: CompiledHandler, input: RunInput): Promise<HandlerResult> {
    const program = (handler as StepHandler).program();
    const run = new StepRun(handler.kind, program.ids, input);
    try {
      await execute(program, run, input.trace && new Trace(input.trace));
      return limited(resultOf(run));
    } finally {
      run.end();
    }
  }
}

async function execute({ first, budget }: Program, run: StepRun, trace: Trace | undefined): Promise<void> {
  let left = budget;
  for (let instruction = first; instruction && !run.answer;) {
    const started = trace ? performance.now() : 0;
    let result: JsonValue;
    let { next } = instruction;
    try {
      if (left-- <= 0) throw StepErrors.tooManySteps(budget);
      if (run.hasUsedSlice) await run.yieldSlice();
      if (run.isAborted) throw run.endError();
      if (instruction.work) {
        const done = instruction.work(run);
        result = done instanceof Promise ? await run.raceWithAbort(done) : done;
      } else {
        if (instruction.test && !instruction.test(run)) next = instruction.otherwise;
        result = { next: next?.id ?? null };
      }
      run.spend(jsonSize(result));
    } catch (error) {
      const failure = failureOf(run.isAborted ? run.endError() : error, instruction);
      trace?.recordFailure(instruction, failure, started);
      throw failure;
    }
    trace?.recordSuccess(instruction, result, started);
    run.prev = run.results[instruction.slot] = result;
    instruction = next;
  }
}

/**
 * Names the step in the message and the details of an ExtensionError. The error of a `control.fail`
 * step of this run, and an error that is no ExtensionError, stay as they are.
 */
function failureOf(error: unknown, { id, kind }: Instruction): unknown {
  if (!(error instanceof ExtensionError)) return error;
  // A failure of a called function becomes a failure of the step that called it.
  if (error instanceof AppFailure && kind === 'control') return error;
  const { code, message, retryable, details } = error;
  return new ExtensionError(code, `Step "${id}": ${message}`, {
    retryable,
    details: { ...details, step: id },
    cause: error,
  });
}

/**
 * Result of a run. Its `data` is that of `return`, otherwise the result of the last step; a webhook
 * answers only with `return`, because its caller must not get the result of its last step.
 * `summary` and `ui` are those of `return`, otherwise those of the last `ui` steps.
 */
const resultOf = ({ kind, answer, prev = null, message, ui }: StepRun): HandlerResult => ({
  data: answer ? answer.data : kind === 'webhook' ? null : prev,
  summary: answer?.summary ?? message,
  ui: answer?.ui ?? ui,
});

function limited(result: HandlerResult): HandlerResult {
  if (bytesOf(result.data) + bytesOf(result.ui) + bytesOf(result.summary) > MAX_RESULT_BYTES) {
    throw StepErrors.resultTooLarge(MAX_RESULT_BYTES);
  }
  return result;
}

const bytesOf = (value: JsonValue): number => (value === null ? 0 : Buffer.byteLength(JSON.stringify(value)));
