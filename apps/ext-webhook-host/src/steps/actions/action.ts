import type { JsonValue } from '@platform/app-document';
import type { Params } from '../values/params.js';
import type { StepRun } from '../step-run.js';

/** Does the work of a step and returns its result. */
export type Action = (run: StepRun, params: Params) => JsonValue | Promise<JsonValue>;
/** Keys are `kind.action`. */
export type Actions = Readonly<Record<string, Action>>;
