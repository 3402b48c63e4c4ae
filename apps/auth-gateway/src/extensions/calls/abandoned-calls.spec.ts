import { AbandonedCalls } from './abandoned-calls.js';

it('are bounded for each user, and counted until they end', async () => {
  const abandoned = new AbandonedCalls(2);
  const calls = Array.from({ length: 3 }, () => new AbortController());
  const [first, second, third] = calls.map(({ signal }) => abandoned.watch('ada', signal));
  abandoned.assertRoom('ada');
  for (const call of calls.slice(0, 2)) call.abort();
  expect(() => abandoned.assertRoom('ada')).toThrow('Too many calls of yours');
  abandoned.assertRoom('grace');
  let isOver = false;
  const over = abandoned.ended().then(() => (isOver = true));
  first?.();
  abandoned.assertRoom('ada');
  await Promise.resolve();
  expect(isOver).toBe(false);
  second?.();
  await over;
  third?.(); // whose caller stayed
  await abandoned.ended();
});
