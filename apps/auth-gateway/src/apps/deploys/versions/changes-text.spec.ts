import { describeChanges } from './changes-text.js';

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
const numbered = (count: number) => Array.from({ length: count }, (_value, at) => `f${at}`);
const words = (news: object) =>
  describeChanges({ ...NOTHING, ...news }).replace('new compared with the running version: ', '');

it('what is new in a version is named by its kind', () => {
  expect(
    words({ scopes: ['a:b'], hosts: ['a.example'], capabilities: ['http'], events: ['a.b'], name: 'Bank', icon: true }),
  ).toBe('scope a:b; host (called or redirected to) a.example; capability http; event a.b; the name "Bank"; the icon');
  expect(words({ functions: ['pay'] })).toBe('function that asks less of its callers pay');
  expect(words({ functions: ['pay', 'send'], capabilities: ['code', 'http'] })).toBe(
    'capabilities code, http; functions that ask less of their callers pay, send',
  );
});

it('of a list there are 20, and how many more there are', () => {
  const most = `functions that ask less of their callers ${numbered(20).join(', ')}`;
  expect(words({ functions: numbered(20) })).toBe(most);
  expect(words({ functions: numbered(23) })).toBe(`${most} and 3 more`);
});
