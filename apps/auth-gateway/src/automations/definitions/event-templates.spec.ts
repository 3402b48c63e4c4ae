import { TemplateError } from '@platform/app-document';
import type { FireEvent } from '../firing/fire-event.js';
import { assertTemplates, fillTemplates, hasTemplates } from './event-templates.js';

const EVENT: FireEvent = {
  event_id: 'evt',
  event_type: 'notes.added',
  type: 'notes.added',
  timestamp: '2026-11-22T01:00:00.000Z',
  user_id: 'usr_1',
  tenant_id: 'acme',
  source: 'notes',
  data: { text: 'Hi', n: 3, no: false, nil: null, list: ['a', { b: 'c' }], map: { x: 1 } },
  hop: 0,
};

it.each<[string, unknown]>([
  ['plain', 'plain'],
  ['{{ event.data.text }}', 'Hi'],
  ['{{event.data.n}}', 3],
  ['{{ event.data.no }}', false],
  ['{{ event.data.list }}', EVENT.data['list']],
  ['{{ event.data.list.1.b }}', 'c'],
  ['{{ event.data.list.length }}', null],
  ['{{ event.data.missing.deep }}', null],
  ['{{ event.data.toString }}', null],
  ['{{ event.data.text.0 }}', null],
  [
    '{{ event.type }} of {{ event.user_id }}: <{{ event.data.map }}|{{ event.data.nil }}|{{ event.data.missing }}>',
    'notes.added of usr_1: <{"x":1}||>',
  ],
])('%s becomes %j', (template, value) => {
  expect(fillTemplates(template, EVENT)).toEqual(value);
});

it('is filled in at every depth, and keys are not', () => {
  const args = JSON.parse(
    '{"{{ event.data.n }}":[{"a":["{{ event.data.n }}",1]}],"__proto__":{"x":"{{ event.data.text }}"}}',
  ) as object;
  const result = fillTemplates(args, EVENT);
  expect(JSON.stringify(result)).toBe('{"{{ event.data.n }}":[{"a":[3,1]}],"__proto__":{"x":"Hi"}}');
  expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
});

it('does not grow without bounds', () => {
  const event = { ...EVENT, data: { big: 'x'.repeat(60_000) } };
  expect(() => fillTemplates({ a: '{{ event.data.big }}'.repeat(10) }, event)).toThrow(TemplateError);
  expect(() => fillTemplates(Array<string>(10).fill('{{ event.data.big }}'), event)).toThrow(TemplateError);
});

it.each([
  ['{{ event.data.x }', 'Expected "}}"'],
  ['{{ }}', 'Expected a name'],
  ['{{ args.x }}', 'begin with "event."'],
  ['{{ "x" }}', 'begin with "event."'],
  ['{{ event.data.x | upper }}', 'cannot have filters'],
  ['{{ event.__proto__ }}', 'cannot be part'],
])('%s is refused', (template, reason) => {
  expect(() => assertTemplates({ deep: [template] })).toThrow(reason);
});

it('knows whether there is anything to fill in', () => {
  expect(hasTemplates({ a: ['{{ event.type }}'] })).toBe(true);
  expect(hasTemplates({ a: ['{ event.type }'] })).toBe(false);
});
