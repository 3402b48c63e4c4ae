import type { Filter, JsonValue, Literal } from '@platform/app-document';
import { isNothing, textOf } from './json-values.js';

type Apply = (value: JsonValue | undefined, argument: Literal) => JsonValue | undefined;

export const FILTERS: Readonly<Record<Filter, Apply>> = {
  default: (value, argument) => (isNothing(value) ? argument : value),
  count: (value) => {
    if (typeof value === 'string' || Array.isArray(value)) return value.length;
    return typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
  },
  format: (value, argument) => {
    if (isNothing(value)) return '';
    if (typeof argument === 'number') return decimals(value, argument);
    return typeof argument === 'string' ? argument.replace('{}', () => textOf(value)) : textOf(value);
  },
  json: (value) => JSON.stringify(value ?? null),
  lower: (value) => textOf(value).toLowerCase(),
  upper: (value) => textOf(value).toUpperCase(),
  trim: (value) => textOf(value).trim(),
};

const MAX_DECIMALS = 20;

/**
 * Text of a number with so many decimals, from 0 to 20. A value that is not a number stays as it
 * is, as text.
 */
function decimals(value: JsonValue, places: number): string {
  const number = numberOf(value);
  return Number.isNaN(number) ? textOf(value) : number.toFixed(Math.min(Math.max(Math.trunc(places), 0), MAX_DECIMALS));
}

const NUMBER = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i;

/**
 * The number that a value is, or that a text of at most 64 characters reads as; NaN for other
 * values.
 */
export function numberOf(value: JsonValue | undefined): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.length <= 64 && NUMBER.test(value) ? Number(value) : NaN;
}
