import { EVENT_CATALOGUE, MOST_UNREAD_COUNTED, NAMED_ONLY_EVENT_TYPES } from '@platform/contracts';
import { SOURCE_TYPES } from '../../apps/panel/src/events/event-relay.js';
import { CHANGES } from '../../apps/panel/web/src/lib/live-changes.js';
import { EVENT_TYPES, NAMED_ONLY } from '../../apps/panel/web/src/lib/event-types.js';
import { MOST_COUNTED } from '../../apps/panel/web/src/lib/notifications.js';

it('are in the panel what they are in the catalogue', () => {
  expect([...EVENT_TYPES].sort()).toEqual(Object.keys(EVENT_CATALOGUE).sort());
  expect([...NAMED_ONLY].sort()).toEqual([...NAMED_ONLY_EVENT_TYPES].sort());
});

it('are asked of the gateway where they change what a page shows, and no others', () => {
  expect(SOURCE_TYPES.map((source) => `${source}.`).sort()).toEqual(Object.keys(CHANGES).sort());
});

it('count what is unread as far as the gateway does', () => {
  expect(MOST_COUNTED).toBe(MOST_UNREAD_COUNTED);
});
