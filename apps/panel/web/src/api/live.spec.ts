import { changedBy } from '../lib/live-changes.js';
import { pauseAfter } from './live.js';
import { Refreshing } from './refreshing.js';

it('reads anew what an event has changed, and nothing for what no page shows', () => {
  expect(changedBy('wallet.changed')).toEqual(['wallet', 'usage']);
  expect(changedBy('session.ended')).toEqual(['sessions']);
  expect(changedBy('notification.read')).toEqual(['notifications']);
  expect(changedBy('billing.plan_changed')).toContain('subscription');
  expect(changedBy('stream.reset')).toEqual(expect.arrayContaining(['wallet', 'sessions', 'notifications', 'keys']));
  for (const type of ['stream.closed', 'notes.note_added', 'task_update']) expect(changedBy(type)).toEqual([]);
});

it('comes back ever later to what refuses it, and no two pages at once', () => {
  expect([1, 2, 3, 8, 9, 2_000].map((refusals) => pauseAfter(refusals, 0.5))).toEqual([
    2_000, 4_000, 8_000, 256_000, 300_000, 300_000,
  ]);
  expect([0, 1].map((random) => pauseAfter(1, random))).toEqual([1_000, 3_000]);
  expect(pauseAfter(2_000, 1)).toBe(300_000);
});

it('reads together what comes while it reads, and forgets nothing', async () => {
  const read: string[][] = [];
  const ends: (() => void)[] = [];
  const refreshing = new Refreshing(
    (names) => {
      read.push([...names]);
      return new Promise<void>((resolve) => ends.push(resolve));
    },
    () => Promise.resolve(),
  );
  const end = async () => {
    ends.shift()?.();
    await new Promise((resolve) => setTimeout(resolve));
  };
  refreshing.add(['wallet']);
  for (const name of ['wallet', 'keys', 'wallet']) refreshing.add([name]);
  expect(read).toEqual([['wallet']]);
  await end();
  expect(read).toEqual([['wallet'], ['wallet', 'keys']]);
  await end();
  refreshing.add(['usage']);
  expect(read.at(-1)).toEqual(['usage']);
  await end();
  expect(read).toHaveLength(3);
});
