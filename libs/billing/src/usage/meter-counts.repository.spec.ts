import { RetentionService } from '@platform/persistence';
import { until } from '@platform/testing';
import type { EntityManager } from 'typeorm';
import { BillingDatabase } from '../testing/billing-database.js';
import { lockUsers } from '../testing/locked-users.js';
import { MeterCountsRepository } from './meter-counts.repository.js';

const FOREVER_MS = 2 ** 31 - 1;
const MOST_METERS = 5;

let database: BillingDatabase;
let retention: RetentionService;
let meters: MeterCountsRepository;
/** Another process, which waits for the test. */
let patient: MeterCountsRepository;

beforeAll(async () => {
  database = await BillingDatabase.start();
  retention = new RetentionService(database.dataSource);
  meters = new MeterCountsRepository(database.dataSource, retention);
  const beside = await database.connectSeparately({ isPatient: true });
  patient = new MeterCountsRepository(beside, new RetentionService(beside));
});
afterAll(() => database.stop());

const usesOf = (userId: string, meter = 'pages', amount = 1) => ({ userId, prefix: 'app:', meter, amount });
const transaction = <Result>(work: (em: EntityManager) => Promise<Result>) => database.dataSource.transaction(work);
const countersOf = (...users: string[]) =>
  database.query('SELECT used FROM usage_counters WHERE user_id = ANY ($1)', [users]);

describe('what has been used already', () => {
  it('counts whatever the limit, each meter for itself, and in the transaction of its cause', async () => {
    const user = await database.createUser();
    await Promise.all(Array.from({ length: 20 }, () => meters.addUse(user, 'ai_tokens', 1_000)));
    await expect(
      transaction(async (em) => {
        await meters.addUse(user, 'ai_tokens', 5, em);
        throw new Error('undone');
      }),
    ).rejects.toThrow('undone');
    await meters.addUse(user, 'notes.pages', 3);
    await meters.addUse(user, 'notes.pages', 0);
    expect(await meters.getUse(user)).toEqual({ ai_tokens: 20_000, 'notes.pages': 3 });
    await meters.addUse(user, 'ai_tokens', Number.MAX_SAFE_INTEGER);
    expect(await meters.getUse(user)).toEqual({ ai_tokens: Number.MAX_SAFE_INTEGER, 'notes.pages': 3 });
  });

  it.each([-1, 0.5, Number.NaN, 2 ** 53])('is not %d', async (amount) => {
    await expect(meters.addUse('usr_1', 'ai_tokens', amount)).rejects.toThrow('is not a valid amount');
  });
});

describe('meters of many users', () => {
  it('count together what is of one meter, up to so many meters of a user', async () => {
    const [one, two] = [await database.createUser(), await database.createUser()];
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const uses = [
      usesOf(one, 'a', 2),
      usesOf(one, 'a', 3),
      ...names.map((name) => usesOf(two, name)),
      usesOf('usr_nobody'),
    ];
    const counted = await transaction(async (em) =>
      meters.addUses(uses, await meters.lockFreeMeters(uses, em), MOST_METERS, em),
    );
    expect(counted).toEqual([true, true, ...names.map((_, at) => at < MOST_METERS), true]);
    expect(await meters.getUse(one)).toEqual({ 'app:a': 5 });
    expect(Object.keys(await meters.getUse(two))).toHaveLength(MOST_METERS);
    expect(await countersOf('usr_nobody')).toEqual([]);
  });

  it('are held where somebody else has the counter or the user locked, and then nothing counts there', async () => {
    const [known, made, free] = [await database.createUser(), await database.createUser(), await database.createUser()];
    await meters.addUse(known, 'app:pages', 1);
    const uses = [usesOf(known), usesOf(made), usesOf(free)];
    const lock = await lockUsers(database, [known, made]);
    try {
      await transaction(async (em) => {
        const locks = await meters.lockFreeMeters(uses, em);
        expect(uses.map((use) => locks.isUnavailable(use))).toEqual([true, true, false]);
        for (const held of [usesOf(known), usesOf(made), usesOf(free, 'that nobody locked')]) {
          await expect(meters.addUses([usesOf(free), held], locks, MOST_METERS, em)).rejects.toThrow('is not locked');
        }
        expect(await meters.addUses([usesOf(free)], locks, MOST_METERS, em)).toEqual([true]);
      });
    } finally {
      await lock.release();
    }
    expect([await meters.getUse(known), await meters.getUse(made), await meters.getUse(free)]).toEqual([
      { 'app:pages': 1 },
      {},
      { 'app:pages': 1 },
    ]);
  });

  it('are waited for where they are of one user, and then none is held', async () => {
    const user = await database.createUser();
    await meters.addUse(user, 'app:pages', 1);
    const uses = [usesOf(user), usesOf(user, 'words')];
    const lock = await lockUsers(database, [user]);
    const counting = transaction(async (em) => {
      const locks = await meters.lockMetersOfUser(uses, em, FOREVER_MS);
      expect(uses.map((use) => locks.isUnavailable(use))).toEqual([false, false]);
      return meters.addUses(uses, locks, MOST_METERS, em);
    });
    await lock.waitForBlocked(1);
    await lock.release();
    expect(await counting).toEqual([true, true]);
    expect(await meters.getUse(user)).toEqual({ 'app:pages': 2, 'app:words': 1 });
  });

  it('are waited for no longer than is said', async () => {
    const user = await database.createUser();
    const lock = await lockUsers(database, [user]);
    try {
      await expect(transaction((em) => meters.lockMetersOfUser([usesOf(user)], em, 50))).rejects.toMatchObject({
        code: '55P03',
      });
    } finally {
      await lock.release();
    }
  });
});

describe('who is erased', () => {
  it('meanwhile is not counted, and nothing is left of them', async () => {
    const user = await database.createUser();
    const lock = await lockUsers(database, [user]);
    const added = patient.addUse(user, 'ai_tokens', 1);
    await lock.waitForBlocked(1);
    await lock.runStatement('UPDATE users SET erased_at = now() WHERE id = $1', [user]);
    await lock.release();
    await added;
    await meters.addUse(user, 'ai_tokens', 1);
    expect(await countersOf(user)).toEqual([]);
  });

  it.each([
    ['a counter', (user: string, em: EntityManager) => meters.addUse(user, 'ai_tokens', 1, em)],
    [
      'a meter',
      async (user: string, em: EntityManager) =>
        meters.addUses([usesOf(user)], await meters.lockFreeMeters([usesOf(user)], em), MOST_METERS, em),
    ],
  ])('after %s was made leaves none: the erasure waits for it', async (_what, make) => {
    const user = await database.createUser();
    const counting = (await database.connectSeparately({ isPatient: true })).createQueryRunner();
    await counting.startTransaction();
    await make(user, counting.manager);
    const [{ pid }] = await counting.manager.query<[{ pid: number }]>('SELECT pg_backend_pid() AS pid');
    const erasing = lockUsers(database, [user]).then(async (lock) => {
      await lock.runStatement('DELETE FROM usage_counters WHERE user_id = $1', [user]);
      await lock.runStatement('UPDATE users SET erased_at = now() WHERE id = $1', [user]);
      await lock.release();
    });
    await until(async () => {
      const blocked = await database.query('SELECT 1 FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))', [
        pid,
      ]);
      return blocked.length === 1;
    });
    await counting.commitTransaction();
    await counting.release();
    await erasing;
    expect(await countersOf(user)).toEqual([]);
  });
});

it('is forgotten after 400 days', async () => {
  const old = await database.createUser();
  await meters.addUse(old, 'tool_calls', 7);
  await database.query(
    "INSERT INTO usage_counters (user_id, meter, period_starts_at, used) VALUES ($1, 'tool_calls', now() - interval '401 days', 1), ($1, 'tool_calls', now() - interval '399 days', 2)",
    [old],
  );
  await retention.deleteExpiredRows();
  expect(await database.query('SELECT used FROM usage_counters WHERE user_id = $1 ORDER BY used', [old])).toEqual([
    { used: '2' },
    { used: '7' },
  ]);
});
