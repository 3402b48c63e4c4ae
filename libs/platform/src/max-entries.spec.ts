import { LRUCache } from 'lru-cache';
import { maxEntries } from './max-entries.js';

it('forgets what was used longest ago', () => {
  const cache = new LRUCache<string, number>(maxEntries(2));
  cache.set('a', 1).set('b', 2);
  cache.get('a');
  cache.set('c', 3).set('a', 4);
  expect([...cache.entries()].sort()).toEqual([
    ['a', 4],
    ['c', 3],
  ]);
});

it('forgets what was fetched, too', async () => {
  const cache = new LRUCache<string, string>({
    ...maxEntries(2),
    ttl: 1_000,
    fetchMethod: (key) => Promise.resolve(key),
  });
  for (const key of ['a', 'b', 'c']) await cache.fetch(key);
  expect([...cache.keys()].sort()).toEqual(['b', 'c']);
});
