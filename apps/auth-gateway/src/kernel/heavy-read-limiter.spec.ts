import { HeavyReadLimiter } from './heavy-read-limiter.js';

it('a user has one read under way, and another one when it has ended, however it ends', async () => {
  const reads = new HeavyReadLimiter();
  let fail = (_error: Error): void => undefined;
  const running = reads.runExclusive('ada', () => new Promise((_resolve, reject) => (fail = reject)));
  await expect(reads.runExclusive('ada', () => Promise.resolve('second'))).rejects.toMatchObject({
    status: 429,
    code: 'rate_limited',
  });
  fail(new Error('away'));
  await expect(running).rejects.toThrow('away');
  expect(await reads.runExclusive('ada', () => Promise.resolve('third'))).toBe('third');
});

it('hundreds of users read at once', async () => {
  const reads = new HeavyReadLimiter();
  const ends: (() => void)[] = [];
  const users = Array.from({ length: 500 }, (_none, at) => `user-${at}`);
  const all = users.map((user) =>
    reads.runExclusive(user, () => new Promise<string>((resolve) => ends.push(() => resolve(user)))),
  );
  await expect(reads.runExclusive('user-7', () => Promise.resolve())).rejects.toMatchObject({ status: 429 });
  for (const end of ends) end();
  expect(await Promise.all(all)).toEqual(users);
});
