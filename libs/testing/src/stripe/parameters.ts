import { parse } from 'qs';
import { createInvalidError } from './stripe-api-error.js';

/** Form parameters in Stripe's notation: `a=1&b[c]=2&d[0]=x`. All values are texts. */
export type Parameters = { [name: string]: string | Parameters | (string | Parameters)[] | undefined };

/**
 * Parameter names that a route knows. For an object: the names in it, or `'*'` for any, as in
 * `metadata`.
 */
export type KnownParameters = { [name: string]: true | KnownParameters } | '*';

/**
 * Parses parameters.
 *
 * @throws StripeApiError 400 `parameter_unknown` if the route does not know a parameter, like
 * Stripe
 */
export function readParameters(form: string, known: KnownParameters): Parameters {
  const given = parse(form, { depth: 6, parameterLimit: 200 });
  assertKnown(given, known, '');
  return given;
}

function assertKnown(given: Parameters, known: KnownParameters, path: string): void {
  if (known === '*') return;
  for (const [name, value] of Object.entries(given)) {
    const full = path ? `${path}[${name}]` : name;
    const within = Object.hasOwn(known, name) ? known[name] : undefined;
    if (!within) throw createInvalidError(`Received unknown parameter: ${full}`, full, 'parameter_unknown');
    if (within !== true && typeof value === 'object' && !Array.isArray(value)) assertKnown(value, within, full);
  }
}

/** Reads a text; undefined if it is absent or empty. */
export function readText(given: Parameters, name: string): string | undefined {
  const value = given[name];
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string') throw createInvalidError(`Invalid string: ${name}`, name);
  return value;
}

export function readRequiredText(given: Parameters, name: string): string {
  const value = readText(given, name);
  if (value === undefined) throw createInvalidError(`Missing required param: ${name}.`, name, 'parameter_missing');
  return value;
}

/**
 * Reads a whole number of 0 or more; undefined if it is absent or empty.
 *
 * @throws StripeApiError 400 for any other value
 */
export function readNumber(given: Parameters, name: string): number | undefined {
  const value = readText(given, name);
  if (value === undefined) return undefined;
  if (!/^\d{1,15}$/.test(value))
    throw createInvalidError(`Invalid integer: ${value}`, name, 'parameter_invalid_integer');
  return Number(value);
}

export function readFlag(given: Parameters, name: string): boolean {
  const value = readText(given, name);
  if (value === undefined || value === 'false') return false;
  if (value !== 'true') throw createInvalidError(`Invalid boolean: ${value}`, name);
  return true;
}

export function readObject(given: Parameters, name: string): Parameters | undefined {
  const value = given[name];
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) throw createInvalidError('Invalid object', name);
  return value;
}

/**
 * Reads a list of texts, `a[0]=x&a[1]=y`, also without numbers; undefined if it is absent or empty.
 *
 * @throws StripeApiError 400 if an item is not a text
 */
export function readTexts(given: Parameters, name: string): string[] | undefined {
  const value = given[name];
  if (value === undefined || value === '') return undefined;
  const texts = typeof value === 'string' ? [value] : Object.values(value);
  if (!texts.every((text) => typeof text === 'string')) throw createInvalidError(`Invalid array: ${name}`, name);
  return texts;
}

/**
 * Merges the parameter `metadata` into `before`, and returns the result. An empty text deletes a
 * key.
 *
 * @throws StripeApiError 400 if `metadata` is not an object
 */
export function readMetadata(given: Parameters, before: Record<string, string> = {}): Record<string, string> {
  const changes = readObject(given, 'metadata') ?? {};
  const merged = { ...before, ...(changes as Record<string, string>) };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== ''));
}
