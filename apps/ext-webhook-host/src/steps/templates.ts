import {
  isWhole,
  parseTemplate,
  type Expression,
  type JsonObject,
  type JsonValue,
  type TemplatePart,
} from '@platform/app-document';
import { jsonSize } from '../handlers/json-size.js';
import type { StepRun } from './step-run.js';
import { FILTERS } from './values/filters.js';
import { ownValue, textOf } from './values/json-values.js';

/** Computes a value in a run. Its size counts against the limit of the run. */
export type Resolve<Value extends JsonValue = JsonValue> = (run: StepRun) => Value;
type Read = (run: StepRun) => JsonValue | undefined;

/** Slots of the results of steps, by id. */
export type Slots = ReadonlyMap<string, number>;

/**
 * Makes a function that fills in the templates of a value in a run. A value without templates is
 * returned as it is, the same object every time.
 */
export function compileValue(value: JsonValue, slots: Slots): Resolve {
  return compileFilled(value, slots) ?? (() => value);
}

export const compileObject = (value: JsonObject, slots: Slots): Resolve<JsonObject> =>
  compileValue(value, slots) as Resolve<JsonObject>;

/** Makes a function that fills in the templates of a value; undefined if there are none. */
function compileFilled(value: JsonValue, slots: Slots): Resolve | undefined {
  if (typeof value === 'string') return value.includes('{{') ? compileText(parseTemplate(value), slots) : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) {
    const items = value.map((item) => compileFilled(item, slots));
    if (!items.some(Boolean)) return undefined;
    return (run) => {
      run.spend(8 * value.length);
      return value.map((item, at) => {
        const resolve = items[at];
        return resolve ? resolve(run) : item;
      });
    };
  }
  const fields = Object.entries(value).map(([key, item]) => ({ key, item, resolve: compileFilled(item, slots) }));
  if (!fields.some(({ resolve }) => resolve)) return undefined;
  return (run) => {
    run.spend(16 * fields.length);
    // Not by assignment: a key `__proto__` would change the prototype.
    return Object.fromEntries(fields.map(({ key, item, resolve }) => [key, resolve ? resolve(run) : item]));
  };
}

function compileText(parts: TemplatePart[], slots: Slots): Resolve {
  if (isWhole(parts)) {
    const read = compileExpression(parts[0], slots);
    return (run) => {
      const value = read(run);
      run.spend(jsonSize(value));
      return value === undefined ? '' : value;
    };
  }
  const pieces = parts.map((part) => (typeof part === 'string' ? part : compileExpression(part, slots)));
  return (run) => {
    let text = '';
    for (const piece of pieces) {
      const value = typeof piece === 'string' ? piece : piece(run);
      run.spend(jsonSize(value));
      text += textOf(value);
    }
    return text;
  };
}

function compileExpression({ path, literal, filters }: Expression, slots: Slots): Read {
  const read: Read = path ? compilePath(path, slots) : () => literal;
  if (!filters.length) return read;
  const applied = filters.map(({ name, argument }) => ({ filter: FILTERS[name], argument }));
  return (run) => {
    let value = read(run);
    for (const { filter, argument } of applied) {
      run.spend(jsonSize(value));
      value = filter(value, argument);
    }
    return value;
  };
}

const ROOTS: Readonly<Record<string, Read>> = {
  event: (run) => run.event,
  args: (run) => run.event,
  steps: (run) => run.resultsById(),
  prev: (run) => run.prev,
  user: (run) => run.user,
  tenant_id: (run) => run.tenantId,
  app: (run) => run.app,
  now: (run) => run.startedAt,
  item: (run) => run.item,
  index: (run) => run.index,
};

function compilePath([root, ...keys]: [string, ...string[]], slots: Slots): Read {
  const [id] = keys;
  if (root === 'steps' && id !== undefined) {
    const slot = slots.get(id);
    if (slot === undefined) return () => undefined;
    return below((run) => run.results[slot], keys.slice(1));
  }
  const read = Object.hasOwn(ROOTS, root) ? ROOTS[root] : undefined;
  return read ? below(read, keys) : () => undefined;
}

function below(read: Read, keys: readonly string[]): Read {
  if (!keys.length) return read;
  return (run) => {
    let value = read(run);
    for (const key of keys) value = ownValue(value, key);
    return value;
  };
}
