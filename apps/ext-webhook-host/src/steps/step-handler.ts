import type { CompiledHandler } from '../handlers/handler-runtime.js';
import type { Program } from './program.js';

/** A handler with its steps, which are compiled when it first runs: most of what is deployed never does. */
export interface StepHandler extends CompiledHandler {
  program(): Program;
}
