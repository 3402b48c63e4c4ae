import type { JsonObject, JsonValue } from '@platform/app-document';
import { isNothing } from '../values/json-values.js';
import { textMap, type Params } from '../values/params.js';
import type { StepRun } from '../step-run.js';
import { AppFailure } from '../values/steps.errors.js';
import type { Actions } from './action.js';

/** Actions that end a run. All other control steps are part of the program. */
export const controlActions: Actions = {
  'control.return': (run, params) => {
    const data = dataOf(run, params);
    run.answer = { data, summary: params.optionalText('summary'), ui: params.optionalObject('ui') };
    return data;
  },
  'control.fail': (_run, params) => {
    const code = params.optionalText('code') ?? '';
    throw new AppFailure(CODE.test(code) ? code : 'STEP_FAILED', params.text('error') || 'The app failed.', {
      retryable: params.flag('retryable'),
    });
  },
};

const CODE = /^[A-Z][A-Z0-9_]{2,63}$/;

/**
 * Data of a `return`. In a webhook, it is an HTTP response if a param is a part of one:
 * `status_code`, `headers`, `body` or `body_base64`. Other handlers ignore these params.
 *
 * @throws ExtensionError STEP_FAILED if a part has a wrong type.
 */
function dataOf({ kind }: StepRun, params: Params): JsonValue {
  const isResponse =
    kind === 'webhook' && ['status_code', 'headers', 'body', 'body_base64'].some((name) => params.has(name));
  if (!isResponse) return params.any('data');
  const response: JsonObject = {};
  if (!isNothing(params.any('status_code'))) response['status_code'] = params.optionalNumber('status_code') ?? 200;
  if (params.has('headers')) response['headers'] = textMap('headers', params.optionalObject('headers'));
  if (params.has('body_base64')) response['body_base64'] = params.any('body_base64');
  else if (params.has('body') || params.has('data'))
    response['body'] = params.any(params.has('body') ? 'body' : 'data');
  return response;
}
