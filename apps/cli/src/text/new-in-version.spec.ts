import { newLines } from './new-in-version.js';

const NOTHING = {
  scopes: [],
  hosts: [],
  capabilities: [],
  events: [],
  webhooks: [],
  schedules: [],
  functions: [],
  name: null,
  icon: false,
};
const numbered = (count: number) => Array.from({ length: count }, (_value, at) => `t.e${at}`);

it('what is new in a version is a line for each kind', () => {
  expect(newLines({ ...NOTHING, scopes: ['a:b', 'c:d'], name: 'Bills\u001b[2J', icon: true })).toEqual([
    'scopes: a:b, c:d',
    expect.stringMatching(/^name: Bills(?!.*\u001b)/),
    'icon',
  ]);
});

it('of a list there are 50, and how many more there are', () => {
  expect(newLines({ ...NOTHING, events: numbered(50) })).toEqual([`events: ${numbered(50).join(', ')}`]);
  expect(newLines({ ...NOTHING, events: numbered(60) })).toEqual([`events: ${numbered(50).join(', ')} and 10 more`]);
});
