import type { JsonValue } from '@platform/app-document';
import { textMap, type Params } from '../values/params.js';
import { StepErrors } from '../values/steps.errors.js';
import { isNothing } from '../values/json-values.js';
import type { StepRun } from '../step-run.js';
import type { Action, Actions } from './action.js';

type Scalar = string | number | boolean;
const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const LEVELS = ['info', 'warning', 'error'] as const;
const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const;

/** Actions that mainly call the context. */
export const serviceActions: Actions = {
  'cache.get': async ({ context }, params) => ({ value: (await context.cache.get(params.name('key'))) ?? null }),
  'cache.set': async ({ context }, params) => {
    const value = params.any('value');
    await context.cache.set(params.name('key'), value, params.optionalNumber('ttl_seconds'));
    return { value };
  },
  'cache.delete': async ({ context }, params) => {
    await context.cache.delete(params.name('key'));
    return { value: null };
  },
  'config.get': async ({ context }, params) => ({
    value: await context.config.get(params.name('key'), params.any('default')),
  }),
  'secret.get': async ({ context }, params) => ({ value: await context.secrets.get(params.name('name')) }),
  ...Object.fromEntries(METHODS.map((method) => [`http.${method}`, http(method)])),
  'ai.complete': async ({ context }, params) => {
    const { text, model, usage } = await context.ai.complete(params.name('prompt'), {
      model: params.optionalText('model'),
      temperature: params.optionalNumber('temperature'),
      maxTokens: params.optionalNumber('max_tokens'),
      ...(params.has('output') && { output: params.any('output') }),
    });
    return { text, model, usage };
  },
  'notify.send': async ({ context }, params) => {
    const { sent } = await context.notify.send({
      message: params.name('message'),
      channel: params.optionalText('channel') ?? 'in_app',
      priority: params.oneOf('priority', PRIORITIES, 'normal'),
      subject: params.optionalText('subject'),
      body: params.optionalText('body'),
    });
    return { sent };
  },
  ...Object.fromEntries(
    LEVELS.map((level): [string, Action] => [
      `log.${level}`,
      ({ context }, params) => {
        context.log(params.text('message'), level);
        return {};
      },
    ]),
  ),
};

/** Action that calls a function. `target` is a function of this app, or `app_id.function`. */
export function call(target: string): Action {
  const [name = '', appId] = target.split('.').reverse();
  return ({ context }, params) =>
    context.extensions.call(appId ?? context.app.app_id, name, params.optionalObject('params') ?? {});
}

export const emit =
  (type: string): Action =>
  async ({ context }, params) => {
    await context.extensions.emit(type, params.optionalObject('data') ?? {});
    return { emitted: true };
  };

function http(method: (typeof METHODS)[number]): Action {
  return async ({ context }: StepRun, params: Params) => {
    const { status_code, headers, body, ok } = await context.http[method](params.name('url'), {
      headers: textMap('headers', params.optionalObject('headers')),
      query: query(params),
      timeoutSeconds: params.optionalNumber('timeout'),
      ...(params.has('json') && { json: params.any('json') }),
      ...(params.has('body') && { body: params.text('body') }),
    });
    return { status_code, headers, body, ok };
  };
}

function query(params: Params): Record<string, Scalar | Scalar[]> {
  const isScalar = (value: JsonValue): value is Scalar => value !== null && typeof value !== 'object';
  return Object.fromEntries(
    Object.entries(params.optionalObject('query') ?? {}).flatMap(([key, value]): [string, Scalar | Scalar[]][] => {
      if (isNothing(value)) return [];
      if (Array.isArray(value) && value.every(isScalar)) return [[key, value]];
      if (!isScalar(value)) throw StepErrors.param('query', 'a map of texts, numbers and lists of them');
      return [[key, value]];
    }),
  );
}
