import fc from 'fast-check';
import type { JsonObject } from './document.js';
import { compileParamsCheck } from './index.js';
import { JsonSchemaChecker } from './json-schema.js';

/** Fixed seed, so that each run tests the same inputs; set `SEED` to try others. */
const SEED = Number(process.env['SEED'] ?? 18);

const found = (schema: JsonObject): string[] =>
  new JsonSchemaChecker().check(schema).map(({ pointer, message }) => `${pointer} ${message}`);
const checkOf = (properties: JsonObject, more: JsonObject = {}) =>
  compileParamsCheck({ type: 'object', properties, ...more });

describe('a JSON Schema', () => {
  it.each<[string, JsonObject]>([
    [
      'with parts that are referred to',
      {
        $ref: '#/$defs/a',
        $defs: { a: { anyOf: [{ $ref: '#/$defs/b' }, { $ref: '#/definitions/c' }] }, b: true },
        definitions: { c: {} },
      },
    ],
    ['with keywords that nobody knows', { type: 'object', title: 'T', 'x-order': 1, format: 'colour', examples: [1] }],
    [
      'with properties named like keywords',
      { properties: { $ref: { type: 'string' }, id: {}, pattern: {}, nullable: {} } },
    ],
    [
      'of the right dialect',
      { $schema: 'https://json-schema.org/draft/2020-12/schema', prefixItems: [{ pattern: '^\\d+$' }] },
    ],
    ['with patterns of JavaScript', { patternProperties: { '^x-': { pattern: '^(?<year>\\d{4})/\\u0041\\p{L}+$' } } }],
  ])('%s is taken', (_what, schema) => {
    expect(found(schema)).toEqual([]);
    expect(() => compileParamsCheck(schema)).not.toThrow();
  });

  it.each<[string, JsonObject, string]>([
    [
      'a type that does not exist',
      { type: 'txt' },
      '/type This is not a valid JSON Schema: it must be equal to one of the allowed values: array, boolean,',
    ],
    ['tuples of an older dialect', { items: [{}] }, '/items This is not a valid JSON Schema'],
    ['an older dialect', { $schema: 'http://json-schema.org/draft-07/schema#' }, '/$schema This can only be'],
    [
      'an address',
      { properties: { a: { $ref: 'https://example.com/schema.json' } } },
      '/properties/a/$ref A reference must have the form',
    ],
    ['the schema itself', { properties: { a: { $ref: '#' } } }, '/properties/a/$ref A reference must have the form'],
    [
      'something that is not there',
      { $ref: '#/$defs/constructor', $defs: {} },
      '/$ref There is no schema at "#/$defs/constructor".',
    ],
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
    [
      'a pattern that becomes too large',
      { pattern: '(abcde){1000}' },
      '/pattern This pattern cannot be used: This pattern is too large.',
    ],
  ])('refuses %s', (_what, schema, message) => {
    expect(found(schema)).toEqual([expect.stringContaining(message)]);
  });

  it('refuses what doubles with each reference', () => {
    const $defs: JsonObject = { d0: { type: 'string' } };
    for (let at = 1; at <= 40; at++)
      $defs[`d${at}`] = { allOf: [{ $ref: `#/$defs/d${at - 1}` }, { $ref: `#/$defs/d${at - 1}` }] };
    expect(found({ $ref: '#/$defs/d40', $defs })).toEqual([
      expect.stringContaining('A schema may have at most 500 parts'),
    ]);
  });

  it('refuses thousands of parts, also in a chain', () => {
    const chain = Object.fromEntries(
      Array.from({ length: 5000 }, (_, at) => [`d${at}`, { $ref: `#/$defs/d${at + 1}` }]),
    );
    expect(found({ $ref: '#/$defs/d0', $defs: chain })).toEqual([
      expect.stringContaining('A schema may have at most 500 parts'),
    ]);
  });

  it('refuses thousands of keywords, and of names that are required', () => {
    const names = Array.from({ length: 200 }, (_, at) => `n${at}`);
    const parts = (count: number) => ({
      allOf: Array.from({ length: count }, () => ({ required: names, title: 'not counted' })),
    });
    expect(found(parts(14))).toEqual([]);
    expect(found(parts(15))).toEqual([expect.stringContaining('A schema may have at most 3000 keywords')]);
    expect(found({ dependentRequired: { a: names, b: names }, ...parts(14) })).toEqual([
      expect.stringContaining('3000 keywords'),
    ]);
  });

  it('is looked through also where an older dialect has parts', () => {
    expect(found({ dependencies: { a: { $ref: '#' } } })).toEqual([
      expect.stringContaining('A reference must have the form'),
    ]);
    const $defs: JsonObject = { d0: { type: 'string' } };
    for (let at = 1; at <= 40; at++)
      $defs[`d${at}`] = {
        dependencies: { a: { allOf: [{ $ref: `#/$defs/d${at - 1}` }, { $ref: `#/$defs/d${at - 1}` }] } },
      };
    expect(found({ $ref: '#/$defs/d40', $defs })).toEqual([
      expect.stringContaining('A schema may have at most 500 parts'),
    ]);
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
    const value = fc.oneof(
      fc.constantFrom('string', 'object', '#/$defs/a', '^a+$', 'date-time', 'uri'),
      fc.jsonValue({ maxDepth: 2 }),
    );
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
      { seed: SEED, numRuns: 1000 },
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

  const TOO_LONG = { code: 'VALIDATION_TYPE_ERROR', pointer: '', message: 'The params are too large to be checked.' };
  const many = (count: number, part: (at: number) => JsonObject) => Array.from({ length: count }, (_, at) => part(at));
  const abc = (count: number) => Array.from({ length: count }, () => 'abc');

  /**
   * The check counts its work, which here is the size of the schema times the size of the params.
   */
  it.each<[string, JsonObject, unknown]>([
    ['a pattern with many states', { pattern: '(a|b)*a(a|b){400}$' }, 'ab'.repeat(500_000)],
    [
      'many texts for a pattern',
      { items: { not: { pattern: '(a|b)*a(a|b){400}$' } } },
      Array.from({ length: 5000 }, () => 'ab'.repeat(100)),
    ],
    ['many names for a pattern', { patternProperties: { '(a|b)*a(a|b){400}$': false } }, { ['a'.repeat(10_000)]: 1 }],
    [
      'many alternatives for each item',
      { items: { anyOf: [...many(400, (minimum) => ({ type: 'number', minimum })), { type: 'string' }] } },
      abc(9000),
    ],
    ['the same by references', { items: { $ref: '#/$defs/a' } }, abc(9000)],
    [
      'many alternatives for each field',
      { additionalProperties: { oneOf: [...many(400, (at) => ({ const: at })), { type: 'string' }] } },
      Object.fromEntries(abc(9000).entries()),
    ],
    [
      'many parts for each name',
      { propertyNames: { allOf: many(200, (maxLength) => ({ maxLength: maxLength + 9 })) } },
      Object.fromEntries(abc(9000).entries()),
    ],
    [
      'a long text that is counted again and again',
      { allOf: many(400, (at) => ({ minLength: 10 + at })) },
      'a'.repeat(500_000),
    ],
    ['a long text with formats', { allOf: many(200, () => ({ not: { format: 'date' } })) }, 'a'.repeat(500_000)],
    [
      'many fields that are counted',
      { allOf: many(400, () => ({ minProperties: 1 })) },
      Object.fromEntries(abc(9000).entries()),
    ],
    [
      'many items that are compared',
      { allOf: many(400, () => ({ uniqueItems: true })) },
      Array.from({ length: 9000 }, (_, at) => at),
    ],
    ['many different objects', { uniqueItems: true }, Array.from({ length: 100_000 }, (_, at) => ({ at }))],
    [
      'long texts that are like constants',
      { items: { allOf: many(100, () => ({ const: 'a'.repeat(1000) })) } },
      abc(9000).map(() => 'a'.repeat(1000)),
    ],
    [
      'a charge of its own',
      { items: { anyOf: [...many(400, () => ({ type: 'null' })), { type: 'string' }], 'charge:part': -1e9 } },
      abc(9000),
    ],
  ])('with %s end the check', (_what, value, params) => {
    const $defs: JsonObject = JSON.stringify(value).includes('$ref')
      ? { a: { anyOf: [...many(400, (minimum) => ({ type: 'number', minimum })), { type: 'string' }] } }
      : {};
    expect(found({ type: 'object', properties: { value }, $defs })).toEqual([]);
    const check = checkOf({ value }, { $defs });
    expect(check({ value: params })).toEqual(TOO_LONG);
    // Each check starts with a new count.
    expect(check({})).toBeNull();
  });

  it.each<[string, JsonObject, unknown]>([
    ['a pattern that would backtrack', { pattern: '^(a+)+!$' }, `${'a'.repeat(20_000)}!`],
    ['ten thousand items', { items: { type: 'string', maxLength: 5, enum: ['abc', 'abd'] } }, abc(9000)],
    ['ten thousand different items', { uniqueItems: true }, Array.from({ length: 9000 }, (_, at) => `n${at}`)],
    [
      'rows with fields',
      { items: { required: ['a'], properties: { a: { type: 'string', format: 'email' } } } },
      many(3000, () => ({ a: 'a@example.com' })),
    ],
    ['a long text', { type: 'string', minLength: 1, maxLength: 500_000 }, 'a'.repeat(500_000)],
  ])('with %s are checked', (_what, value, params) => {
    expect(checkOf({ value })({ value: params })).toBeNull();
  });

  /** Counts reads of a field, because computing the canonical form reads it. */
  it('are read once, however many constants there are, and not at all for constants that are no objects', () => {
    let reads = 0;
    const params = { value: Object.defineProperty({}, 'a', { enumerable: true, get: () => ++reads && 'abc' }) };
    expect(
      checkOf({ value: { allOf: many(240, (at) => ({ not: { const: at, enum: [at, 'abc'] } })) } })(params),
    ).toBeNull();
    expect(reads).toBe(0);
    expect(
      checkOf({ value: { allOf: many(240, (at) => ({ not: { const: [at], enum: [{ a: at }] } })) } })(params),
    ).toBeNull();
    expect(reads).toBe(2);
  });

  it.each<[JsonObject, unknown[], unknown[]]>([
    [{ const: '{"a":1}' }, ['{"a":1}'], [{ a: 1 }]],
    [{ const: { a: 1, b: [null] } }, [{ b: [null], a: 1 }], ['{"a":1,"b":[null]}', { a: 1 }, { a: '1', b: [null] }]],
    [{ enum: [0, '1', null, []] }, [0, -0, '1', null, []], ['0', 1, false, {}, [[]]]],
    [
      { uniqueItems: true },
      [[1, '1', [1], '[1]', { a: 1 }, { a: '1' }, null]],
      [
        [1, 1],
        [[1], [1]],
        [{ valueOf: 1 }, { valueOf: 1 }],
      ],
    ],
    [
      { minLength: 2, maxLength: 3 },
      ['ab', '\u{1f600}\u{1f600}', '\u{1f600}\u{1f600}\u{1f600}'],
      ['\u{1f600}', 'abcd'],
    ],
    [{ const: '\ud800' }, ['\ud800'], ['\ud801']],
  ])('are equal to %j by type and value', (value, right, wrong) => {
    const check = checkOf({ value });
    for (const each of right) expect([each, check({ value: each })]).toEqual([each, null]);
    for (const each of wrong) expect([each, check({ value: each })]).not.toEqual([each, null]);
  });
});
