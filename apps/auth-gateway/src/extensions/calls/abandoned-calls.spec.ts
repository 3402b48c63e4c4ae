import { AbandonedCalls } from './abandoned-calls.js';

it('are bounded for each caller, and counted until they end', async () => {
  const abandoned = new AbandonedCalls(2);
  const calls = Array.from({ length: 3 }, () => new AbortController());
  const [first, second, third] = calls.map(({ signal }) => abandoned.watch('ada', signal));
  expect(abandoned.hasRoom('ada')).toBe(true);
  for (const call of calls.slice(0, 2)) call.abort();
  expect(['ada', 'grace'].map((caller) => abandoned.hasRoom(caller))).toEqual([false, true]);
  let isOver = false;
  const over = abandoned.waitUntilEnded().then(() => (isOver = true));
  first?.();
  expect(abandoned.hasRoom('ada')).toBe(true);
  await Promise.resolve();
  expect(isOver).toBe(false);
  second?.();
  await over;
  third?.(); // the caller disconnects when the call is over
  calls[2]?.abort();
  await abandoned.waitUntilEnded();
});
