import { jsonObjectText, jsonText } from './json-text.js';

const nested = (levels: number): unknown => (levels ? [nested(levels - 1)] : 1);

describe('jsonText', () => {
  it.each([
    [null, 'null'],
    [-0.5e-300, '-5e-301'],
    ['žluťoučký \u{1f511}', '"žluťoučký \u{1f511}"'],
    [[1, [true]], '[1,[true]]'],
    [{ a: { b: undefined } }, '{"a":{}}'],
    [Object.assign(Object.create(null) as object, { a: 1 }), '{"a":1}'],
    [JSON.parse('{"__proto__":{"a":1},"constructor":2}'), '{"__proto__":{"a":1},"constructor":2}'],
    [nested(32), `${'['.repeat(32)}1${']'.repeat(32)}`],
  ])('writes %j', (value, text) => {
    expect(jsonText(value)).toBe(text);
  });

  const circle: unknown[] = [];
  circle.push(circle);

  it.each([
    ['no value', undefined, '$ is undefined'],
    ['no number', { a: [NaN] }, '$.a[0] is not a finite number'],
    ['no finite number', Infinity, '$ is not a finite number'],
    ['a big integer', { a: 1n }, '$.a is bigint'],
    ['a function', { a: () => 1 }, '$.a is function'],
    ['a symbol', [Symbol('a')], '$[0] is symbol'],
    ['a hole', Array<unknown>(1).fill(undefined), '$[0] is undefined'],
    ['a date', { a: new Date(0) }, '$.a is not a plain object'],
    ['a map', new Map(), '$ is not a plain object'],
    ['bytes', Buffer.alloc(1), '$ is not a plain object'],
    ['a NUL', { a: 'b\0' }, '$.a has a NUL'],
    ['a NUL in a key', { 'a\0': 1 }, '$ has a key with a NUL'],
    ['half a character', ['\ud83d'], '$[0] has a NUL character or a lone surrogate'],
    ['33 levels', nested(33), 'is nested deeper than 32 levels'],
    ['a circle', circle, 'is nested deeper than 32 levels'],
  ])('refuses %s', (_what, value, message) => {
    expect(() => jsonText(value)).toThrow(message);
  });
});

it.each([[[]], ['text'], [1], [null], [new Date(0)]])('jsonObjectText refuses %j', (value) => {
  expect(() => jsonObjectText(value)).toThrow('$ must be an object');
});
