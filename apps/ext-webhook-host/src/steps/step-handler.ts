import type { CompiledHandler } from '../handlers/handler-runtime.js';
import type { Program } from './program.js';

/**
 * A handler that consists of steps. They are compiled at its first run, because most deployed
 * handlers never run.
 */
export interface StepHandler extends CompiledHandler {
  program(): Program;
}
