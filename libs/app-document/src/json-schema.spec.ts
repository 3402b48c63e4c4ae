import fc from 'fast-check';
import type { JsonObject } from './document.js';
import { compileParamsCheck } from './index.js';
import { JsonSchemaChecker } from './json-schema.js';

const found = (schema: JsonObject): string[] =>
  new JsonSchemaChecker().check(schema).map(({ pointer, message }) => `${pointer} ${message}`);
const checkOf = (properties: JsonObject, more: JsonObject = {}) => compileParamsCheck({ type: 'object', properties, ...more });

describe('a JSON Schema', () => {
  it.each<[string, JsonObject]>([
    [
      'with parts that are referred to',
      { $ref: '#/$defs/a', $defs: { a: { anyOf: [{ $ref: '#/$defs/b' }, { $ref: '#/definitions/c' }] }, b: true }, definitions: { c: {} } },
    ],
    ['with keywords that nobody knows', { type: 'object', title: 'T', 'x-order': 1, format: 'colour', examples: [1] }],
    ['with properties named like keywords', { properties: { $ref: { type: 'string' }, id: {}, pattern: {}, nullable: {} } }],
    ['of the right dialect', { $schema: 'https://json-schema.org/draft/2020-12/schema', prefixItems: [{ pattern: '^\\d+$' }] }],
    ['with patterns of JavaScript', { patternProperties: { '^x-': { pattern: '^(?<year>\\d{4})/\\u0041\\p{L}+$' } } }],
  ])('%s is taken', (_what, schema) => {
    expect(found(schema)).toEqual([]);
    expect(() => compileParamsCheck(schema)).not.toThrow();
  });

  it.each<[string, JsonObject, string]>([
    [
      'a type that does not exist',
      { type: 'txt' },
      '/type This is no JSON Schema: it must be equal to one of the allowed values: array, boolean,',
    ],
    ['tuples of an older dialect', { items: [{}] }, '/items This is no JSON Schema'],
    ['an older dialect', { $schema: 'http://json-schema.org/draft-07/schema#' }, '/$schema This may only be'],
    ['an address', { properties: { a: { $ref: 'https://example.com/schema.json' } } }, '/properties/a/$ref References may only lead'],
    ['the schema itself', { properties: { a: { $ref: '#' } } }, '/properties/a/$ref References may only lead'],
    ['something that is not there', { $ref: '#/$defs/constructor', $defs: {} }, '/$ref There is no "#/$defs/constructor".'],
    [
      'itself by another',
      { $ref: '#/$defs/a', $defs: { a: { items: { $ref: '#/$defs/b' } }, b: { not: { $ref: '#/$defs/a' } } } },
      '/$defs/b/not/$ref A schema cannot contain itself.',
    ],
    ['an asynchronous check', { $async: true }, '/$async "$async" is not supported.'],
    ['a pattern with a lookahead', { pattern: '(?=a)b' }, '/pattern This pattern cannot be used:'],
    ['a pattern with a backreference', { items: { pattern: '(a)\\1' } }, '/items/pattern This pattern cannot be used:'],
    [
      'a pattern that is too long',
      { pattern: 'a'.repeat(257) },
      '/pattern This pattern cannot be used: A pattern may have at most 256 characters.',
    ],
    ['a pattern that becomes too large', { pattern: '(abcde){1000}' }, '/pattern This pattern cannot be used: This pattern is too large.'],
  ])('refuses %s', (_what, schema, message) => {
    expect(found(schema)).toEqual([expect.stringContaining(message)]);
  });

  it('refuses what doubles with each reference', () => {
    const $defs: JsonObject = { d0: { type: 'string' } };
    for (let at = 1; at <= 40; at++) $defs[`d${at}`] = { allOf: [{ $ref: `#/$defs/d${at - 1}` }, { $ref: `#/$defs/d${at - 1}` }] };
    expect(found({ $ref: '#/$defs/d40', $defs })).toEqual([expect.stringContaining('A schema may have at most 500 parts')]);
  });

  it('refuses thousands of parts, also in a chain', () => {
    const chain = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`d${at}`, { $ref: `#/$defs/d${at + 1}` }]));
    expect(found({ $ref: '#/$defs/d0', $defs: chain })).toEqual([expect.stringContaining('A schema may have at most 500 parts')]);
  });

  it('refuses the fifty-first pattern of a document', () => {
    const checker = new JsonSchemaChecker();
    const patterns = (count: number) => ({ allOf: Array.from({ length: count }, (_, at) => ({ pattern: `^${at}$` })) });
    expect(checker.check(patterns(50))).toEqual([]);
    expect(checker.check(patterns(50))).toEqual([]);
    expect(checker.check(patterns(51))).toMatchObject([{ pointer: '/allOf/50/pattern', rule: 'too_many' }]);
  });

  it('that is taken can be compiled, and the check never throws', () => {
    const KEYWORDS = [
      'type',
      'properties',
      'items',
      '$ref',
      '$defs',
      'pattern',
      'enum',
      'required',
      'anyOf',
      'format',
      'uniqueItems',
      'minimum',
      'id',
      'nullable',
      'not',
      'dependentRequired',
      'const',
    ];
    const value = fc.oneof(fc.constantFrom('string', 'object', '#/$defs/a', '^a+$', 'date-time', 'uri'), fc.jsonValue({ maxDepth: 2 }));
    const schema = fc.letrec((tie) => ({
      schema: fc.dictionary(
        fc.constantFrom(...KEYWORDS),
        fc.oneof({ depthSize: 'small' }, value, tie('schema'), fc.array(tie('schema'), { maxLength: 2 })),
        { maxKeys: 4 },
      ),
    })).schema as fc.Arbitrary<JsonObject>;
    let taken = 0;
    fc.assert(
      fc.property(schema, fc.jsonValue({ maxDepth: 2 }), (sent, params) => {
        if (found(sent).length) return;
        taken++;
        const check = compileParamsCheck(sent);
        check(params);
      }),
      { numRuns: 1000 },
    );
    expect(taken).toBeGreaterThan(100);
  });
});

describe('params', () => {
  it.each([
    [{}, 'VALIDATION_MISSING_FIELD', '', "The params must have required property 'title'."],
    [{ title: 7 }, 'VALIDATION_TYPE_ERROR', '/title', '"title" must be string.'],
    [{ title: 'a', due: 'soon' }, 'VALIDATION_TYPE_ERROR', '/due', '"due" must match format "date".'],
    [{ title: 'a', tag: 'c' }, 'VALIDATION_TYPE_ERROR', '/tag', '"tag" must be one of "a", "b".'],
    [{ title: 'a', when: {} }, 'VALIDATION_TYPE_ERROR', '/when', '"when" must be string or must be null.'],
    [{ title: 'a', more: 1 }, 'VALIDATION_TYPE_ERROR', '', 'The params must not have "more".'],
    [
      {
        title: 'a',
        list: [
          { x: 1, y: 2 },
          { y: 2, x: 1 },
        ],
      },
      'VALIDATION_TYPE_ERROR',
      '/list',
      '"list" must not have the same item twice.',
    ],
    [7, 'VALIDATION_TYPE_ERROR', '', 'The params must be object.'],
  ])('%j are refused', (params, code, pointer, message) => {
    const check = checkOf(
      {
        title: { type: 'string' },
        due: { type: 'string', format: 'date' },
        tag: { enum: ['a', 'b'] },
        when: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        list: { type: 'array', uniqueItems: true },
      },
      { required: ['title'], additionalProperties: false },
    );
    expect(check(params)).toEqual({ code, pointer, message });
    expect(check({ title: 'a', due: '2027-01-31', tag: 'b', when: null, list: [1, '1'] })).toBeNull();
  });

  /** Each would take minutes with a regular expression that backtracks, or by comparing each item with each other one. */
  it.each<[string, JsonObject, unknown]>([
    ['a pattern that backtracks', { type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(50_000)}!`],
    ['many states', { type: 'string', pattern: '(a|b)*a(a|b){400}$' }, 'ab'.repeat(500_000)],
    ['many texts', { type: 'array', items: { pattern: '(a|b)*a(a|b){400}$' } }, Array.from({ length: 5000 }, () => 'ab'.repeat(100))],
    ['many different objects', { type: 'array', uniqueItems: true }, Array.from({ length: 100_000 }, (_, at) => ({ at }))],
  ])('with %s are checked in no time', (_what, schema, value) => {
    const started = performance.now();
    checkOf({ value: schema })({ value });
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
