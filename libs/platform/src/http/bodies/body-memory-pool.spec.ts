import { BodyMemoryPool, type BodyMemory } from './body-memory-pool.js';

const LARGEST = 10;

/** Bodies take memory in random order until each has all that it needs. */
function play(seed: number) {
  const rooms = new BodyMemoryPool({ total: 30, perApp: 20, perSender: 15, perSenderToApp: 12 }, LARGEST);
  let state = seed;
  const below = (most: number): number => (state = (state * 48_271) % 2_147_483_647) % most;
  let held = 0;
  let most = 0;
  const waiting = new Set<BodyMemory>();
  const open = new Map<BodyMemory, number>();
  for (let n = 0; n < 40; n++) open.set(rooms.openBody(`app ${below(4)}`, `sender ${below(3)}`), 1 + below(LARGEST));
  const took = (room: BodyMemory): void => {
    waiting.delete(room);
    most = Math.max(most, ++held);
  };
  while (waiting.size < open.size) {
    const able = [...open.keys()].filter((room) => !waiting.has(room));
    const room = able[below(able.length)] as BodyMemory;
    if (room.bytes === open.get(room)) {
      open.delete(room);
      held -= room.bytes;
      room.release();
      continue;
    }
    waiting.add(room);
    if (room.reserve(1, () => took(room))) took(room);
  }
  return { stuck: open.size, most };
}

describe('bodies that grow', () => {
  it('never have more than there is, and never wait for each other', () => {
    const games = Array.from({ length: 500 }, (_, at) => play(at + 1));
    expect(games.filter(({ stuck }) => stuck > 0)).toEqual([]);
    expect(Math.max(...games.map(({ most }) => most))).toBe(30);
  });

  it('keep to the share of their app, of their sender, and of their sender to the app', () => {
    const rooms = new BodyMemoryPool({ total: 40, perApp: 20, perSender: 15, perSenderToApp: 12 }, LARGEST);
    const all = [
      rooms.openBody('a', 's'),
      rooms.openBody('a', 's'),
      rooms.openBody('a', 't'),
      rooms.openBody('b', 's'),
      rooms.openBody('b', 't'),
    ];
    const taken = all.map((room) => {
      let bytes = 0;
      while (bytes < LARGEST && room.reserve(1, () => undefined)) bytes++;
      return bytes;
    });
    expect(taken).toEqual([10, 2, 8, 3, 5]);
  });
});
