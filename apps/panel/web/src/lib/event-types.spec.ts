import { EVENT_TYPES, eventGroups } from './event-types.js';

it('are in groups, of which all can be chosen unless they say what was said to a user', () => {
  const groups = eventGroups();
  expect(groups.flatMap(({ types }) => types).sort()).toEqual([...EVENT_TYPES].sort());
  expect(groups.find(({ name }) => name === 'billing')).toMatchObject({
    all: 'billing.*',
    types: expect.arrayContaining(['billing.plan_changed']),
  });
  expect(groups.at(-1)).toEqual({ name: 'others', all: null, types: ['chat_message', 'task_update'] });
});
