import type { AppDocument, JsonValue } from '@platform/app-document';
import { Injectable } from '@nestjs/common';
import { ExtensionError } from '../extension-error.js';
import type { CompiledApp, CompiledHandler, HandlerResult, HandlerRuntime, RunInput } from '../runs/handler-runtime.js';
import { compileApp, type StepHandler } from './compile-app.js';
import { sizeOf } from './json-values.js';
import type { Answer, Instruction, Move, Program } from './program.js';
import { StepRun } from './step-run.js';
import { AppFailure, StepErrors } from './steps.errors.js';
import { Trace } from './trace.js';

const MAX_RESULT_BYTES = 256 * 1024;

/** Runs handlers that are written as steps. */
@Injectable()
export class StepRuntime implements HandlerRuntime {
  /** Of a document that `parseAppDocument` took; it is frozen then. Keep the result: it can be run as often as needed. */
  compile(document: AppDocument): CompiledApp {
    return compileApp(document);
  }

  async run(handler: CompiledHandler, input: RunInput): Promise<HandlerResult> {
    const { program } = handler as StepHandler;
    if (!program) throw StepErrors.codeDoesNotRun();
    const run = new StepRun(handler.kind, program.ids, input);
    try {
      const answer = await execute(program, run, input.trace && new Trace(input.trace));
      return limited(resultOf(run, answer));
    } finally {
      run.end();
    }
  }
}

/** What `control.return` said; null when the run came to its end without. */
async function execute({ first, budget }: Program, run: StepRun, trace: Trace | undefined): Promise<Answer | null> {
  let left = budget;
  for (let instruction = first; instruction;) {
    const started = trace ? performance.now() : 0;
    let move: Move;
    try {
      if (left-- <= 0) throw StepErrors.tooManySteps(budget);
      if (run.isSliceOver) await run.yieldSlice();
      if (run.isAborted) throw run.timeIsOver();
      const moved = instruction.execute(run);
      move = moved instanceof Promise ? await run.orAborted(moved) : moved;
      run.spend(sizeOf(move.result));
    } catch (error) {
      const failure = failureOf(run.isAborted ? run.timeIsOver() : error, instruction);
      trace?.failed(instruction, failure, started);
      throw failure;
    }
    trace?.done(instruction, move.result, started);
    run.prev = run.results[instruction.slot] = move.result;
    if (move.answer) return move.answer;
    instruction = move.next;
  }
  return null;
}

/** With the step in its text; what is no failure of the extension stays a fault of the platform. */
function failureOf(error: unknown, { id }: Instruction): unknown {
  if (!(error instanceof ExtensionError) || error instanceof AppFailure) return error;
  const { code, message, retryable, details } = error;
  return new ExtensionError(code, `Step "${id}": ${message}`, { retryable, details: { ...details, step: id }, cause: error });
}

/** A webhook answers what it returns and nothing else: what its last step found is not for whoever calls it. */
const resultOf = (run: StepRun, answer: Answer | null): HandlerResult => ({
  data: answer ? answer.data : run.kind === 'webhook' ? null : (run.prev ?? null),
  summary: answer?.summary ?? run.message,
  ui: answer?.ui ?? run.ui,
});

function limited(result: HandlerResult): HandlerResult {
  if (bytesOf(result.data) + bytesOf(result.ui) + bytesOf(result.summary) > MAX_RESULT_BYTES) {
    throw StepErrors.resultTooLarge(MAX_RESULT_BYTES);
  }
  return result;
}

const bytesOf = (value: JsonValue): number => (value === null ? 0 : Buffer.byteLength(JSON.stringify(value)));
