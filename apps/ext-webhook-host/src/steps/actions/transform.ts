import type { JsonValue } from '@platform/app-document';
import { randomUUID } from 'node:crypto';
import type { Test } from '../conditions.js';
import { ownValue } from '../values/json-values.js';
import type { StepRun } from '../step-run.js';
import { StepErrors } from '../values/steps.errors.js';
import type { Resolve } from '../templates.js';
import type { Action, Actions } from './action.js';

export const transformActions: Actions = {
  'transform.set': (_run, params) => ({ value: params.any('value') }),
  'transform.pick': (_run, params) => {
    const from = params.optionalObject('from') ?? {};
    const picked = params.texts('keys').flatMap((key): [string, JsonValue][] => {
      const value = ownValue(from, key);
      return value === undefined ? [] : [[key, value]];
    });
    return { value: Object.fromEntries(picked) };
  },
  'transform.json_parse': (_run, params) => ({ value: parsed(params.text('text')) }),
  'transform.json_stringify': (_run, params) => ({ value: JSON.stringify(params.any('value')) }),
  'transform.now': () => ({ value: new Date().toISOString() }),
  'transform.uuid': () => ({ value: randomUUID() }),
};

export const map =
  (to: Resolve): Action =>
  async (run, params) => {
    const value: JsonValue[] = [];
    await forEachItem(run, params.list('items'), () => value.push(to(run)));
    return { value };
  };

export const filter =
  (test: Test): Action =>
  async (run, params) => {
    const value: JsonValue[] = [];
    await forEachItem(run, params.list('items'), (item) => {
      if (test(run)) value.push(item);
    });
    return { value };
  };

async function forEachItem(run: StepRun, items: JsonValue[], work: (item: JsonValue) => void): Promise<void> {
  try {
    for (const [index, item] of items.entries()) {
      if (index % 100 === 99 && run.hasUsedSlice) await run.yieldSlice();
      run.spend(8);
      [run.item, run.index] = [item, index];
      work(item);
    }
  } finally {
    run.item = run.index = undefined;
  }
}

function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw StepErrors.noJson();
  }
}
