import { deeperThan } from './body.js';

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
    expect(deeperThan(Buffer.from(json), limit)).toBe(expected);
  });
});
