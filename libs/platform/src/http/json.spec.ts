import { ValidationFailed, type AppError } from '../errors.js';
import { isDeeperThan, readJson, scanJson } from './json.js';

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

describe('deeperThan', () => {
  it.each([
    ['a value without levels', '1', 0, false],
    ['as many levels as allowed', nested(32), 32, false],
    ['one level more', nested(33), 32, true],
    ['objects and arrays alike', '{"a":[{"b":[]}]}', 3, true],
    ['objects and arrays, all allowed', '{"a":[{"b":[]}]}', 4, false],
    ['many values side by side', `[${Array.from({ length: 1_000 }, () => '[]').join(',')}]`, 2, false],
    ['brackets in a string', `["${'['.repeat(100)}"]`, 1, false],
    ['brackets in a key', `{"${'{'.repeat(100)}":1}`, 1, false],
    ['brackets after an escaped quote', `["\\"${'['.repeat(100)}"]`, 1, false],
    ['brackets after a string that ends with a backslash', '["\\\\",[[]]]', 2, true],
    ['brackets after a string that ends with an escaped quote', '["\\"",[[]]]', 2, true],
    ['an escaped quote written as a code', '["\\u0022",[[]]]', 2, true],
    ['a string that never ends', `"${'['.repeat(100)}`, 1, false],
    ['a backslash at the very end', '"\\', 1, false],
    ['multi-byte characters before the brackets', '["\u{1f511}é",[[]]]', 2, true],
    ['brackets that never close', '['.repeat(1_000_000), 32, true],
  ])('counts %s', (_what, json, limit, expected) => {
    expect(isDeeperThan(Buffer.from(json), limit)).toBe(expected);
  });
});

describe('scanJson', () => {
  it.each([
    ['a value without keys', '[1,"a",null]', 0],
    ['keys at every depth', '{"a":{"b":[{"c":1},{"c":1}]}}', 4],
    ['equal keys', '{"a":1,"a":2}', 2],
    ['colons in texts and keys', '{":a:":"::","b":"\\":"}', 2],
    ['spaces around colons', '{"a" : 1 ,\n"b"\t:\r\n2}', 2],
    ['nothing', '', 0],
  ])('counts the keys of %s', (_what, json, keys) => {
    expect(scanJson(Buffer.from(json)).keys).toBe(keys);
  });

  it.each([
    ['a text', '"a,[{"', 0],
    ['one list', '[1,"a",null]', 3],
    ['one object', '{"a":1,"b":2}', 2],
    ['lists in lists', '[[1,2],[3]]', 5],
    ['empty ones, which cost as much as others', '[{},[],{}]', 6],
    ['commas and brackets in texts and keys', '{",[{":"\\",[,"}', 1],
    ['spaces between', '[ 1 ,\n 2 ]', 2],
  ])('counts the values of %s', (_what, json, values) => {
    expect(scanJson(Buffer.from(json)).values).toBe(values);
  });

  it('stops where a limit is exceeded', () => {
    const json = Buffer.from(`{${'"a":[[[]]],'.repeat(1_000)}"a":1}`);
    expect(scanJson(json, { keys: 10 }).keys).toBe(11);
    expect(scanJson(json, { depth: 2 })).toEqual({ depth: 3, keys: 1, values: 2 });
    expect(scanJson(json, { keys: 1_001, depth: 4 })).toMatchObject({ depth: 4, keys: 1_001 });
    expect(scanJson(json, { values: 10 }).values).toBe(11);
    expect(scanJson(Buffer.from(','.repeat(1_000)), { values: 10 }).values).toBe(11);
  });
});

describe('readJson', () => {
  const read = (json: string | Buffer, limits = {}) =>
    readJson(Buffer.from(json), { depth: 32, keys: 1_000, values: 10_000, ...limits });
  const refusal = (json: string | Buffer, limits = {}): unknown => {
    try {
      return { value: read(json, limits) };
    } catch (error) {
      if (error instanceof ValidationFailed) return error.issues;
      const { status, code, options } = error as AppError;
      return { status, code, ...options.details };
    }
  };
  const duplicate = (...loc: (string | number)[]) => ({ status: 400, code: 'duplicate_key', loc: ['body', ...loc] });

  it.each<[string, string, ReturnType<typeof duplicate>]>([
    ['at the top', '{"a":1,"a":1}', duplicate('a')],
    [
      'first and last of many',
      `{"k":0,${Array.from({ length: 500 }, (_, n) => `"k${n}":${n}`).join()},"k":0}`,
      duplicate('k'),
    ],
    ['deep down', '{"a":[1,{"b":{"c":1,"d":[],"c":2}}]}', duplicate('a', 1, 'b', 'c')],
    ['with other spaces', '{"a":1,\n\t"a" : 2}', duplicate('a')],
    ['once written with codes', '{"role":1,"r\\u006fle":2}', duplicate('role')],
    ['once with an escaped slash', '{"a/b":1,"a\\/b":2}', duplicate('a/b')],
    ['an index', '{"0":1,"0":2}', duplicate('0')],
    ['the empty one', '{"":1,"":2}', duplicate('')],
    ['beside texts that look like keys', '{"a":"a","b":["a","a"],"a":"\\",\\"a\\":"}', duplicate('a')],
    ['in the second object of a list', '[{"a":1},{"a":1,"b":2,"b":3}]', duplicate(1, 'b')],
    ['of a pair of surrogates, written both ways', '{"\\ud83d\\udd11":1,"\u{1f511}":2}', duplicate('\u{1f511}')],
    ['with an empty value before it', '{"a":{},"b":[],"a":{}}', duplicate('a')],
  ])('refuses a key that stands twice: %s', (_what, json, expected) => {
    expect(refusal(json)).toEqual(expected);
  });

  it.each([
    '{"a":{"a":{"a":1}},"b":{"a":1}}',
    '[{"a":1},{"a":1}]',
    '{"a":":","A":"a:a","á":1,"a\u0301":2}',
    '{"a":[],"b":{},"":0}',
    '[]',
  ])('takes %s, in which none does', (json) => {
    expect(read(json)).toEqual(JSON.parse(json));
  });

  it.each([
    ['1e400', []],
    ['{"a":[0,-1e309]}', ['a', 1]],
    ['{"a":1.8E+308,"b":1e400}', ['a']],
  ])('refuses %s, a number beyond a double', (json, path) => {
    expect(refusal(json)).toEqual([
      { loc: ['body', ...path], msg: 'Input should be a finite number', type: 'finite_number' },
    ]);
    expect(read('[1.7976931348623157e308,5e-324,1e-400]')).toEqual([Number.MAX_VALUE, Number.MIN_VALUE, 0]);
  });

  it('refuses a byte order mark, but none inside', () => {
    expect(refusal('\ufeff{}')).toEqual({ status: 400, code: 'byte_order_mark' });
    expect(read('{"a":"\ufeff"}')).toEqual({ a: '\ufeff' });
  });

  it.each([
    ['a byte that begins nothing', Buffer.from([0x22, 0xff, 0x22])],
    ['an overlong quote', Buffer.from([0x22, 0xc0, 0xa2, 0x22])],
    ['a lone surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['a character that is cut off', Buffer.from([0x22, 0xe2, 0x82, 0x22])],
    ['UTF-16', Buffer.from('{"a":1}', 'utf16le')],
    ['UTF-16 with its mark', Buffer.from('\ufeff{}', 'utf16le')],
    ['nothing', Buffer.alloc(0)],
    ['two colons', Buffer.from('{"a"::1}')],
    ['a colon without a key', Buffer.from('[:]')],
    ['two values', Buffer.from('{}{}')],
  ])('refuses what is no JSON in UTF-8: %s', (_what, json) => {
    expect(refusal(json)).toEqual([expect.objectContaining({ loc: ['body'], type: 'json_invalid' })]);
  });

  it('counts to its limits, and refuses what is beyond before it is parsed', () => {
    const many = (count: number) => `{"list":[${Array.from({ length: count - 1 }, () => '{"k":1}').join()}]}`;
    expect(refusal(many(1_000))).toHaveProperty('value');
    expect(refusal(many(1_001))).toEqual([expect.objectContaining({ type: 'json_too_many_keys' })]);
    expect(refusal('{"a":'.repeat(1_001))).toEqual([expect.objectContaining({ type: 'json_too_deep' })]);
    expect(refusal('"a":'.repeat(1_001))).toEqual([expect.objectContaining({ type: 'json_too_many_keys' })]);
  });

  it('refuses more values than its limit, whatever they are in', () => {
    const lists = (values: string) => [`{"a":[${values}]}`, `[{"a":{"b":[${values}]}}]`, `[${values}]`];
    for (const value of ['{}', '[]', '0', '""', '{"a":0}']) {
      for (const json of lists(Array.from({ length: 10_001 }, () => value).join())) {
        expect(refusal(json, { keys: Infinity })).toEqual([
          expect.objectContaining({ loc: ['body'], type: 'json_too_many_values' }),
        ]);
      }
    }
    expect(refusal(`[${Array.from({ length: 10_000 }, () => '0').join()}]`)).toHaveProperty('value');
  });

  it('takes time by the length alone, whatever is written', async () => {
    const size = 1_000_000; // quadratic time would exceed the time limit of the test
    const isNoJson = [expect.objectContaining({ loc: ['body'], type: 'json_invalid' })];
    const bodies: [string, unknown][] = [
      [`{${Array.from({ length: size / 10 }, (_, n) => `"k${n}":1`).join()},"k0":1}`, duplicate('k0')],
      [`{"a":"${'\\\\'.repeat(size / 2)}","a":1}`, duplicate('a')],
      [`{${'"a":1,'.repeat(size / 6)}"a":1}`, duplicate('a')],
      [`{"${'x'.repeat(size)}":1,"${'x'.repeat(size)}":1}`, duplicate('x'.repeat(size))],
      ['"'.repeat(size), isNoJson],
      [`"${'\\"'.repeat(size / 2)}`, isNoJson],
    ];
    for (const [body, expected] of bodies) {
      expect(refusal(body, { keys: Infinity, values: Infinity })).toEqual(expected);
      await new Promise((resolve) => setTimeout(resolve)); // lets Jest's time limit fire
    }
  });
});
