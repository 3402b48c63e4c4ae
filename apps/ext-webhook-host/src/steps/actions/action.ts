import type { JsonValue } from '@platform/app-document';
import type { Params } from '../values/params.js';
import type { StepRun } from '../step-run.js';

/** Does what a step says and gives its result. */
export type Action = (run: StepRun, params: Params) => JsonValue | Promise<JsonValue>;
/** By `kind.action`. */
export type Actions = Readonly<Record<string, Action>>;
