import { parseAppDocument } from './index.js';

const step = (id: string, params: object = { message: id }) => ({ id, kind: 'log', action: 'info', params });
const simple = (steps: unknown[], more: object = {}) => ({ app_id: 'a', version: '1.0.0', steps, ...more });
const deep = (depth: number): unknown => (depth ? [deep(depth - 1)] : 1);
const cyclic: unknown[] = [];
cyclic.push(cyclic, cyclic);
const many = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const condition = (depth: number): object => (depth ? { not: condition(depth - 1) } : { field: 1, eq: 1 });

describe('a hostile document', () => {
  it.each<[string, unknown, string]>([
    [
      'a key that changes prototypes',
      JSON.parse('{"app_id":"a","version":"1.0.0","steps":[],"__proto__":{"x":1}}'),
      '/__proto__ json',
    ],
    [
      'a key that changes prototypes, deep inside',
      simple([step('s', JSON.parse('{"message":"m","data":{"__proto__":1}}') as object)]),
      '/steps/0/params/data/__proto__ json',
    ],
    [
      'names that objects inherit',
      simple([{ id: 'toString', kind: 'function', action: 'valueOf', params: { steps: [] } }]),
      '/steps/0/action reserved_name',
    ],
    ['33 levels', simple([step('s', { message: deep(29) })]), `/steps/0/params/message${'/0'.repeat(28)} json`],
    ['itself', simple(cyclic), `/steps${'/0'.repeat(31)} json`],
    ['a getter-made class', new (class Document {})(), ' json'],
    ['a function', simple([() => 1]), '/steps/0 json'],
    ['a big integer', { app_id: 1n }, '/app_id json'],
    ['half a character', simple([step('s', { message: '\ud800' })]), '/steps/0/params/message json'],
    ['a NUL in a key', simple([step('s', { 'a\0b': 1 })]), '/steps/0/params/a\0b json'],
    ['a number beyond all', JSON.parse('{"app_id":"a","steps":[1e999]}'), '/steps/0 json'],
    ['a text of 100 MB', 'x'.repeat(100_000_000), ' document_size'],
    ['a million items', simple(many(1_000_000, () => 0)), ' document_size'],
    ['a hundred thousand steps that are none', simple(many(100_000, () => 0)), '/steps/0 type'],
    [
      'conditions in conditions',
      simple([{ id: 's', kind: 'control', action: 'if', params: { if: condition(40), then: null } }]),
      ' json',
    ],
    [
      'one key ten thousand times wrong',
      simple([], Object.fromEntries(many(10_000, (at) => [`k${at}`, 1]))),
      '/k0 unknown_key',
    ],
    [
      'a template that never ends',
      simple([step('s', { message: '{{'.repeat(100_000) })]),
      '/steps/0/params/message template',
    ],
    [
      'a template that is all spaces',
      simple([step('s', { message: `{{${' '.repeat(200_000)}` })]),
      '/steps/0/params/message template',
    ],
    ['a version that is almost one', simple([], { version: `1.0.0-${'0a.'.repeat(60_000)}` }), '/version value'],
    [
      'a schedule of many parts',
      simple([{ id: 's', kind: 'schedule', action: 's', params: { cron: '1,'.repeat(100_000), steps: [] } }]),
      '/steps/0/params/cron value',
    ],
    [
      'jumps to and fro',
      simple(
        many(190, (at) => ({ id: `s${at}`, kind: 'control', action: 'goto', params: { to: `s${(at * 7) % 191}` } })),
      ),
      '/steps/109/params/to unknown_step',
    ],
  ])('with %s is refused in no time', async (_what, document, issue) => {
    const result = parseAppDocument(document);
    await new Promise((resolve) => setTimeout(resolve)); // lets Jest's time limit fire
    const found = result.ok ? [] : result.issues.map(({ pointer, rule }) => `${pointer} ${rule}`);
    expect(found).toContainEqual(expect.stringContaining(issue.trimStart()));
    expect(found.length).toBeLessThanOrEqual(101);
  });

  it('changes no prototype', () => {
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });
});
