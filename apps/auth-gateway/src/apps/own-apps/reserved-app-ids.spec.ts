import { EVENT_CATALOGUE } from '@platform/contracts';
import { isReservedAppId } from './reserved-app-ids.js';

it.each(Object.keys(EVENT_CATALOGUE))('no app can publish an event that is called %s', (type) => {
  // Types of events that an app publishes begin with its id and a dot.
  expect(isReservedAppId(type.split('.')[0] ?? '')).toBe(true);
});

it('an app cannot publish events about streams, and may be called like a part of a word of the platform', () => {
  expect(['stream', 'streams', 'pay'].map(isReservedAppId)).toEqual([true, false, false]);
});
