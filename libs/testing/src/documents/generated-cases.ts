import fc from 'fast-check';
import type { DocumentedRoute, Schema } from './documented-routes.js';
import { createSample } from './sample-bodies.js';

type Limited = Schema & {
  maxLength?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  minItems?: number;
  maxItems?: number;
  additionalProperties?: unknown;
};

/** A test input: its description, and the body or the query that contains it. */
export interface GeneratedCase {
  description: string;
  body?: unknown;
  query?: Record<string, string>;
}

/** Maximum length; `attacks/input.whole.spec.ts` of the gateway tests longer values. */
const LONG = 3_000;
const typesOf = ({ type }: Schema): string[] => [type ?? []].flat();

/**
 * Values for one field, each with a description: other types, the limits and one beyond them,
 * Unicode texts, and random allowed values.
 */
export function generateValues(schema: Limited, seed: number): [description: string, value: unknown][] {
  const others = [null, 0, 1.5, '', 'x', true, [], {}, [null], { x: null }].map((value): [string, unknown] => [
    JSON.stringify(value),
    value,
  ]);
  return [...others, ...generateLimits(schema), ...generateAllowedValues(schema, seed)];
}

function generateLimits(schema: Limited): [string, unknown][] {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems } = schema;
  const lengths = [minLength, maxLength].flatMap((limit) =>
    limit === undefined || limit > LONG ? [] : [limit - 1, limit, limit + 1],
  );
  const numbers = [minimum, maximum].flatMap((limit) => (limit === undefined ? [] : [limit - 1, limit, limit + 1]));
  const counts = [minItems, maxItems].flatMap((limit) =>
    limit === undefined || limit > LONG ? [] : [limit - 1, limit, limit + 1],
  );
  const types = typesOf(schema);
  return [
    ...lengths
      .filter((length) => length >= 0)
      .map((length): [string, unknown] => [`${length} characters`, 'a'.repeat(length)]),
    ...numbers.map((number): [string, unknown] => [`the number ${number}`, number]),
    ...counts
      .filter((count) => count >= 0)
      .map((count): [string, unknown] => [
        `${count} items`,
        Array.from({ length: count }, () => createSample(schema.items ?? {})),
      ]),
    ...(types.some((type) => type === 'integer' || type === 'number') ? BIG : []),
    ...(schema.enum ?? []).map((value): [string, unknown] => [String(value), value]),
  ];
}

/** Numbers outside the ranges of PostgreSQL and JavaScript integers. */
const BIG: [string, unknown][] = [2 ** 31, -(2 ** 31) - 1, 2 ** 53, 1e21, -1].map((value) => [
  `the number ${value}`,
  value,
]);

/** Excludes NUL and lone surrogates, which every route refuses in the same way. */
const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  .filter((value) => !value.includes('\0') && !/\p{Cs}/u.test(value));

function generateAllowedValues(schema: Limited, seed: number): [string, unknown][] {
  const types = typesOf(schema);
  if (types.includes('string')) {
    const texts = fc.sample(text, { numRuns: 3, seed });
    return [...texts, '\u202eevil\u200b', 'İstanbul\u0130', '2026-02-30T25:61:00Z', "'; --", '../..', '%2e%2e'].map(
      (value) => [JSON.stringify(value), value],
    );
  }
  if (types.includes('integer'))
    return fc.sample(fc.integer(), { numRuns: 2, seed }).map((value) => [`the number ${value}`, value]);
  if (types.includes('array'))
    return [
      ['a list of texts', ['x', 'x']],
      ['a list of lists', [[], [[]]]],
    ];
  if (types.includes('object'))
    return fc
      .sample(fc.dictionary(text, fc.jsonValue(), { maxKeys: 3 }), { numRuns: 2, seed })
      .map((value) => [JSON.stringify(value), value]);
  return [];
}

/**
 * Makes test inputs for each field of the body and each query key of a route, in an order that the
 * seed determines: values of `generateValues`, missing fields, and one key more.
 *
 * @param valid a body that the route accepts.
 */
export function generateCases(
  route: DocumentedRoute,
  valid: Record<string, unknown> | undefined,
  seed: number,
): GeneratedCase[] {
  const ofBody = (route.schema?.properties ? Object.entries(route.schema.properties) : []).flatMap(
    ([key, schema]): GeneratedCase[] => [
      ...generateValues(schema, seed).map(([what, value]) => ({
        description: `${key}: ${what}`,
        body: { ...valid, [key]: value },
      })),
      {
        description: `without ${key}`,
        body: Object.fromEntries(Object.entries(valid ?? {}).filter(([other]) => other !== key)),
      },
      ...generateNestedCases(key, schema, valid, seed),
    ],
  );
  const ofQuery = route.query.flatMap(({ name, schema }): GeneratedCase[] =>
    generateValues(schema, seed).map(([what, value]) => ({
      description: `?${name}: ${what}`,
      query: { [name]: typeof value === 'string' ? value : JSON.stringify(value) },
      ...(valid && { body: valid }),
    })),
  );
  const more = route.schema ? [{ description: 'one key more', body: { ...valid, x_more: 1 } }] : [];
  return shuffled([...ofBody, ...ofQuery, ...more], seed);
}

/** Cases for the fields of nested objects, also of objects in lists. */
function generateNestedCases(
  key: string,
  schema: Schema,
  valid: Record<string, unknown> | undefined,
  seed: number,
): GeneratedCase[] {
  const record = schema.items ?? schema;
  return Object.entries(record.properties ?? {}).flatMap(([name, property]) =>
    generateValues(property, seed).map(([what, value]) => {
      const changed = { ...(createSample(record) as object), [name]: value };
      return { description: `${key}.${name}: ${what}`, body: { ...valid, [key]: schema.items ? [changed] : changed } };
    }),
  );
}

function shuffled<T>(all: T[], seed: number): T[] {
  return fc.sample(fc.shuffledSubarray(all, { minLength: all.length }), { numRuns: 1, seed })[0] ?? [];
}
