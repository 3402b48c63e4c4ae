import type { JsonObject } from '@platform/app-document';
import { isNothing } from '../values/json-values.js';
import type { Params } from '../values/params.js';
import type { Action, Actions } from './action.js';

/**
 * Action that gives the client of the user an instruction, such as to navigate to an address. It
 * replaces an earlier instruction of the run. `required` is the param that it must have; without it
 * the step fails with STEP_FAILED.
 */
const directive =
  (action: string, required: string): Action =>
  (run, params) =>
    (run.ui = { action, ...allOf(params, [required, ...OPTIONAL]), [required]: params.name(required) });

const OPTIONAL = ['target', 'channel', 'metadata', 'params'];

const allOf = (params: Params, names: string[]): JsonObject =>
  Object.fromEntries(names.filter((name) => !isNothing(params.any(name))).map((name) => [name, params.any(name)]));

export const uiActions: Actions = {
  'ui.navigate': directive('navigate', 'url'),
  'ui.open': directive('open', 'target'),
  'ui.send': (run, params) => {
    run.message = params.name('message');
    const sent = { action: 'send', ...allOf(params, ['channel', 'metadata']), message: run.message };
    // A message does not replace an instruction to draw or open.
    run.ui ??= sent;
    return sent;
  },
  'ui.render': (run, params) =>
    (run.ui = params.has('node')
      ? params.object('node')
      : { type: params.name('type'), props: params.optionalObject('props') ?? {} }),
};
