import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validateSync } from 'class-validator';
import * as contracts from './index.js';

type RequestClass = new () => object;

const LONG = 60_000;
/**
 * Texts of the maximum body length that almost match a pattern. A backtracking pattern takes
 * minutes for them.
 */
const NEAR_MISSES = [
  'a'.repeat(LONG),
  ' '.repeat(LONG),
  `${' '.repeat(LONG)}x`,
  `${'a'.repeat(LONG)}@`,
  `${'a.'.repeat(LONG / 2)}@example.com`,
  `a@${'a.'.repeat(LONG / 2)}`,
  `a@${'a-'.repeat(LONG / 2)}.com`,
  `${'a@'.repeat(LONG / 2)}example.com`,
  `"${'\\"'.repeat(LONG / 2)}@example.com`,
  `http://127.0.0.1:1/${'a/'.repeat(LONG / 2)}#`,
  `http://${'a@'.repeat(LONG / 2)}`,
  'BCDF-'.repeat(LONG / 5),
  '\u2010'.repeat(LONG),
  `${'a-'.repeat(LONG / 2)}!`,
  `${'users:read,'.repeat(LONG / 11)}!`,
  ','.repeat(LONG),
  `2099-01-01T00:00:00.${'1'.repeat(LONG)}x`,
  `2099-01-01${'T'.repeat(LONG)}`,
  `${'1'.repeat(LONG)}x`,
  `${'1:'.repeat(LONG / 2)}x`,
  '\u{1f511}'.repeat(LONG / 2),
];

/** Uses no regular expression, because regular expressions are watched while it runs. */
const repeats = (source: string): boolean =>
  ['*', '+', '?', '{'].some((sign) => source.replaceAll('\\p{', '').includes(sign));

const storage = getMetadataStorage();
const keysOf = (type: RequestClass): string[] => [
  ...new Set(storage.getTargetValidationMetadatas(type, '', false, false).map(({ propertyName }) => propertyName)),
];
const requests = Object.values(contracts as Record<string, unknown>).filter(
  (exported): exported is RequestClass => typeof exported === 'function' && keysOf(exported as RequestClass).length > 0,
);

/** Texts that can be as long as the near misses, because no pattern reads them. */
const MAY_BE_LONG = [
  'CreateDeployRequest.error_message',
  'HostChatMessageRequest.text',
  'SecretValue.value',
  'SyncManifestRequest.icon_svg',
  'SyncManifestRequest.manifest_json',
];
const mayBeLong = (type: string, key: string): boolean => key === 'grant' || MAY_BE_LONG.includes(`${type}.${key}`);

/**
 * Longest text that a repeating regular expression, which can take more than linear time, received
 * while `work` ran.
 */
function longestMatched(work: () => void): { length: number; pattern: string } {
  const exec: unknown = Reflect.get(RegExp.prototype, 'exec');
  let longest = { length: 0, pattern: '' };
  // `test`, `match` and `replace` all call `exec` (ECMA-262, RegExpExec).
  const spy = jest.spyOn(RegExp.prototype, 'exec').mockImplementation(function (this: RegExp, text: string) {
    if (text.length > longest.length && repeats(this.source)) longest = { length: text.length, pattern: this.source };
    return Reflect.apply(exec as typeof RegExp.prototype.exec, this, [text]);
  });
  try {
    work();
  } finally {
    spy.mockRestore();
  }
  return longest;
}

it('sees what regular expressions see', () => {
  const { length } = longestMatched(() => [
    /b+/.test('a'.repeat(7)),
    'a'.repeat(9).replace(/b+/, ''),
    'a'.repeat(8).match(/b+/),
    /b/.test('a'.repeat(10)),
  ]);
  expect(length).toBe(9);
});

describe.each(requests.map((type) => [type.name, type] as const))('%s', (name, type) => {
  it.each(keysOf(type))('shows no pattern a %s that is longer than any it could take', (key) => {
    for (const text of NEAR_MISSES) {
      let errors: string[] = [];
      const { length, pattern } = longestMatched(() => {
        const instance = plainToInstance(type, { [key]: text });
        errors = validateSync(instance).map(({ property }) => property);
      });
      if (!mayBeLong(name, key)) expect(errors).toContain(key);
      expect([text.slice(0, 30), pattern, length <= 2_048]).toEqual([text.slice(0, 30), pattern, true]);
    }
  });
});
