import type { JsonObject, JsonValue } from '@platform/app-document';
import { numberOf } from './filters.js';
import { isNothing, textOf } from './json-values.js';
import { StepErrors } from './steps.errors.js';

/**
 * Params of a step, with all templates filled in. A value of a wrong type comes from a template,
 * because the rest was checked when the app was deployed. An optional param that is null or an
 * empty text counts as missing.
 *
 * @throws ExtensionError STEP_FAILED with the name of the param.
 */
export class Params {
  constructor(private readonly values: JsonObject) {}

  has(name: string): boolean {
    return Object.hasOwn(this.values, name);
  }

  any(name: string): JsonValue {
    return (this.has(name) ? this.values[name] : null) ?? null;
  }

  /** A param as text. It is empty if the param is missing. */
  text(name: string): string {
    return textOf(this.any(name));
  }

  optionalText(name: string): string | undefined {
    const value = this.any(name);
    return isNothing(value) ? undefined : textOf(value);
  }

  /**
   * A required text, such as an id, a name or an address.
   *
   * @throws ExtensionError STEP_FAILED if it is missing or empty, or a list or a map.
   */
  name(name: string): string {
    const value = this.any(name);
    if (isNothing(value)) throw StepErrors.missing(name);
    if (typeof value === 'object') throw StepErrors.param(name, 'a text');
    return textOf(value);
  }

  object(name: string): JsonObject {
    const value = this.any(name);
    if (isNothing(value)) throw StepErrors.missing(name);
    return asObject(name, value);
  }

  optionalObject(name: string): JsonObject | undefined {
    const value = this.any(name);
    return isNothing(value) ? undefined : asObject(name, value);
  }

  /**
   * A param that is a list; an empty list if the param is missing.
   *
   * @throws ExtensionError STEP_FAILED if it is not a list.
   */
  list(name: string): JsonValue[] {
    const value = this.any(name);
    if (isNothing(value)) return [];
    if (!Array.isArray(value)) throw StepErrors.param(name, 'a list');
    return value;
  }

  texts(name: string): string[] {
    return this.list(name).map((item) => {
      if (typeof item === 'object') throw StepErrors.param(name, 'a list of texts');
      return textOf(item);
    });
  }

  optionalNumber(name: string): number | undefined {
    const value = this.any(name);
    if (isNothing(value)) return undefined;
    const number = numberOf(value);
    if (!Number.isFinite(number)) throw StepErrors.param(name, 'a number');
    return number;
  }

  flag(name: string): boolean {
    const value = this.any(name);
    if (isNothing(value) || value === false || value === 'false') return false;
    if (value === true || value === 'true') return true;
    throw StepErrors.param(name, 'true or false');
  }

  oneOf<Text extends string>(name: string, texts: readonly Text[], byDefault: Text): Text {
    const value = this.optionalText(name) ?? byDefault;
    const text = texts.find((known) => known === value);
    if (text === undefined) throw StepErrors.param(name, `one of ${texts.join(', ')}`);
    return text;
  }
}

function asObject(name: string, value: JsonValue): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw StepErrors.param(name, 'a map');
  return value;
}

/**
 * Map of texts, such as headers, without empty values.
 *
 * @throws ExtensionError STEP_FAILED if a value is a list or a map.
 */
export function textMap(name: string, map: JsonObject = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(map).flatMap(([key, value]): [string, string][] => {
      if (typeof value === 'object' && value !== null) throw StepErrors.param(name, 'a map of texts');
      return isNothing(value) ? [] : [[key, textOf(value)]];
    }),
  );
}
