import { COMPARISONS, type Comparison, type Condition, type JsonValue } from '@platform/app-document';
import { jsonSize } from '../handlers/json-size.js';
import type { StepRun } from './step-run.js';
import { compileValue, type Slots } from './templates.js';
import { numberOf } from './values/filters.js';
import { isNothing, textOf } from './values/json-values.js';

export type Test = (run: StepRun) => boolean;

export function compileCondition(condition: Condition, slots: Slots): Test {
  if ('and' in condition) return every(condition.and.map((part) => compileCondition(part, slots)));
  if ('or' in condition) return some(condition.or.map((part) => compileCondition(part, slots)));
  if ('not' in condition) {
    const test = compileCondition(condition.not, slots);
    return (run) => !test(run);
  }
  const comparison = COMPARISONS.find((name) => Object.hasOwn(condition, name)) as Comparison;
  const compare = COMPARE[comparison];
  const [field, value] = [compileValue(condition.field, slots), compileValue(condition[comparison] ?? null, slots)];
  return (run) => {
    const [left, right] = [field(run), value(run)];
    // Upper limit of the cost to convert both values to text and compare them.
    run.spend(jsonSize(left) + jsonSize(right));
    if (comparison === 'in' && typeof right === 'string') run.spend(searchCost(textOf(left), right));
    return compare(left, right);
  };
}

/**
 * Cost of a search for a text in another one, as `StepRun.spend` counts it: a 64th of the product
 * of both lengths. The product is the number of comparisons in the worst case.
 */
const searchCost = (sought: string, text: string): number => (sought.length * text.length) / 64;

const every =
  (tests: Test[]): Test =>
  (run) =>
    tests.every((test) => test(run));
const some =
  (tests: Test[]): Test =>
  (run) =>
    tests.some((test) => test(run));

/** Only numbers, and texts that read as numbers, can be greater or less than others. */
const COMPARE: Readonly<Record<Comparison, (field: JsonValue, value: JsonValue) => boolean>> = {
  eq: (field, value) => textOf(field) === textOf(value),
  neq: (field, value) => textOf(field) !== textOf(value),
  gt: (field, value) => numberOf(field) > numberOf(value),
  gte: (field, value) => numberOf(field) >= numberOf(value),
  lt: (field, value) => numberOf(field) < numberOf(value),
  lte: (field, value) => numberOf(field) <= numberOf(value),
  in: isIn,
  exists: (field, value) => isNothing(field) !== isTrue(value),
};

function isIn(field: JsonValue, value: JsonValue): boolean {
  const text = textOf(field);
  if (Array.isArray(value)) return value.some((item) => textOf(item) === text);
  // Every text contains the empty text, so an empty field would pass every check.
  if (typeof value === 'string') return text !== '' && value.includes(text);
  return typeof value === 'object' && value !== null && Object.hasOwn(value, text);
}

const isTrue = (value: JsonValue): boolean => !isNothing(value) && value !== false && value !== 'false';
