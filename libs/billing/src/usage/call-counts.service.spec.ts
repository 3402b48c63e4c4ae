import { RetentionService } from '@platform/persistence';
import { createLogger } from '@platform/platform';
import { LedgerService } from '../ledger/ledger.service.js';
import { WalletsRepository } from '../ledger/wallets.repository.js';
import { PlanGrantsService } from '../plans/plan-grants.service.js';
import { SubscriptionsService } from '../plans/subscriptions.service.js';
import { BillingDatabase } from '../testing/billing-database.js';
import { lockUsers } from '../testing/locked-users.js';
import { CallCountsService, type RefusedUse } from './call-counts.service.js';
import { MeterCountsRepository } from './meter-counts.repository.js';
import { UsageErrors } from './usage.errors.js';

const log = createLogger('call-counts', 'silent');
let database: BillingDatabase;
let calls: CallCountsService;
let other: CallCountsService;
let meters: MeterCountsRepository;
let subscriptions: SubscriptionsService;

beforeAll(async () => {
  database = await BillingDatabase.start();
  calls = new CallCountsService(database.dataSource, log);
  other = new CallCountsService(await database.connectSeparately(), log);
  meters = new MeterCountsRepository(database.dataSource, new RetentionService(database.dataSource));
  const ledger = new LedgerService(database.dataSource);
  subscriptions = new SubscriptionsService(
    database.dataSource,
    new PlanGrantsService(ledger, new WalletsRepository(database.dataSource, ledger)),
  );
});
beforeEach(() => database.query("UPDATE billing_clock SET ahead = '0'"));
afterAll(() => database.stop());

/** Creates a user with this number of calls in the free plan. */
async function userWith(used: number, role?: string): Promise<string> {
  const user = await database.createUser({ role });
  await subscriptions.ensureFreePlan(user);
  await meters.addUse(user, 'tool_calls', used);
  return user;
}
const take = (user: string, by = calls) => by.countCall(user);
const times = <Result>(count: number, work: (at: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_none, at) => work(at)));

describe('200 calls at once, 50 before the limit', () => {
  it.each(['one process', 'two processes'])('are exactly 50 in %s', async (processes) => {
    const user = await userWith(450);
    const uses = await times(200, (at) => take(user, processes === 'one process' || at % 2 ? calls : other));
    expect(uses.filter(({ granted }) => granted)).toHaveLength(50);
    expect(uses.flatMap(({ granted, used }) => (granted ? [used] : [])).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 50 }, (_none, at) => 451 + at),
    );
    expect(await meters.getUse(user)).toEqual({ tool_calls: 500 });
  });

  it('are exactly 50 of each user, also of those who have used nothing in this month', async () => {
    const users = await Promise.all([userWith(450), userWith(450), userWith(450)]);
    await database.query(
      "INSERT INTO roles (id, tenant_id, name, display_name, monthly_action_limit) VALUES ('fifty', 'default', 'fifty', 'Fifty', 50)",
    );
    for (let at = 0; at < 3; at++) users.push(await database.createUser({ role: 'fifty' }));
    const uses = await times(1_200, async (at) => ({
      user: users[at % 6],
      ...(await take(users[at % 6] as string, at % 4 < 2 ? calls : other)),
    }));
    for (const user of users) expect(uses.filter((use) => use.user === user && use.granted)).toHaveLength(50);
  });

  it('are as many as one after the other', async () => {
    const user = await userWith(497);
    const granted: boolean[] = [];
    for (let at = 0; at < 5; at++) granted.push((await take(user)).granted);
    expect(granted).toEqual([true, true, true, false, false]);
  });
});

it('says what was used, of what, and until when', async () => {
  const user = await userWith(499);
  const { period } = await subscriptions.getCurrentPlan(user);
  const told = { meter: 'tool_calls', limit: 500, used: 500, resetsAt: period.endsAt };
  expect(await take(user)).toEqual({ ...told, granted: true });
  const refused = (await take(user)) as RefusedUse;
  expect(refused).toEqual({ ...told, granted: false, secondsLeft: expect.any(Number) });
  expect(refused.secondsLeft).toBeGreaterThan(27 * 86_400);
  expect(refused.secondsLeft).toBeLessThanOrEqual(31 * 86_400);
  expect(UsageErrors.limitExceeded(refused)).toMatchObject({
    status: 429,
    code: 'usage.limit_exceeded',
    options: {
      headers: { 'Retry-After': String(refused.secondsLeft) },
      details: { meter: 'tool_calls', limit: 500, used: 500, resets_at: period.endsAt },
    },
  });
});

it('begins anew with the next period, also where nobody has opened it', async () => {
  const user = await userWith(500);
  expect(await take(user)).toMatchObject({ granted: false });
  await database.query("UPDATE billing_clock SET ahead = '32 days'");
  expect(await take(user)).toMatchObject({ granted: true, used: 1 });
  const failed: unknown[] = [];
  await subscriptions.openPeriods((_id, error) => failed.push(error));
  expect(failed).toEqual([]);
  expect(await take(user)).toMatchObject({ granted: true, used: 2 });
  expect(await meters.getUse(user)).toEqual({ tool_calls: 2 });
});

it('counts by calendar months for who has no plan yet', async () => {
  await database.setTime('2031-05-31T23:59:00Z');
  const user = await database.createUser();
  expect(await take(user)).toMatchObject({
    granted: true,
    used: 1,
    limit: 500,
    resetsAt: new Date('2031-06-01T00:00:00Z'),
  });
  await database.setTime('2031-06-01T00:01:00Z');
  expect(await take(user)).toMatchObject({ granted: true, used: 1 });
});

it('goes by the limit that the plan has now', async () => {
  const user = await database.createUser();
  const give = (plan: string) =>
    database.query(
      `INSERT INTO subscriptions (id, tenant_id, user_id, plan_id, plan_version, status, started_at, anchor_at, period_number, period_starts_at,
         period_ends_at) VALUES ($1 || $2, 'default', $2, $1, 1, 'active', now(), now(), 1, date_trunc('month', now()), now() + interval '1 month')`,
      [plan, user],
    );
  await give('enterprise');
  await meters.addUse(user, 'tool_calls', 700);
  expect(await take(user)).toMatchObject({ granted: true, limit: null, used: 701 });
  await database.query("UPDATE subscriptions SET status = 'canceled' WHERE user_id = $1", [user]);
  await give('free');
  // This process would query the database again after a second.
  expect(await take(user, other)).toMatchObject({ granted: false, limit: 500, used: 701 });
});

it('the limit of a role counts where it is smaller', async () => {
  await database.query(
    "INSERT INTO roles (id, tenant_id, name, display_name, monthly_action_limit) VALUES ('rol_2', 'default', 'two', 'Two', 2), ('rol_9', 'default', 'many', 'Many', 9000)",
  );
  const [two, many] = [await userWith(0, 'two'), await userWith(500, 'many')];
  expect((await times(5, () => take(two))).map(({ granted, limit }) => `${granted} ${limit}`)).toEqual([
    'true 2',
    'true 2',
    'false 2',
    'false 2',
    'false 2',
  ]);
  expect(await take(many)).toMatchObject({ granted: false, limit: 500 });
});

it('fails for nobody, and for them alone', async () => {
  const user = await userWith(0);
  const [known, unknown] = await Promise.allSettled([take(user), take('usr_nobody')]);
  expect(known).toMatchObject({ status: 'fulfilled', value: { granted: true } });
  expect(unknown).toMatchObject({
    status: 'rejected',
    reason: expect.objectContaining({ message: expect.stringContaining('usr_nobody') }),
  });
});

describe('calls of a user without a limit', () => {
  /** Runs the waiting timers of one second. */
  let pass: () => void;
  beforeEach(() => {
    const timers = jest.spyOn(global, 'setTimeout');
    pass = () => {
      for (const [work, ms] of timers.mock.calls.splice(0)) if (ms === 1_000) work();
    };
  });
  afterEach(() => jest.restoreAllMocks());

  async function unlimited(): Promise<string> {
    const user = await userWith(0);
    await database.query("UPDATE subscriptions SET plan_id = 'enterprise' WHERE user_id = $1", [user]);
    return user;
  }

  it('are counted together, a second later or when the process ends', async () => {
    const user = await unlimited();
    const used = [];
    for (let at = 0; at < 4; at++) used.push((await take(user)).used);
    expect(used).toEqual([1, 2, 3, 4]);
    expect(await meters.getUse(user)).toEqual({ tool_calls: 1 });
    pass();
    expect(await take(user)).toMatchObject({ granted: true, limit: null, used: 5 });
    expect(await meters.getUse(user)).toEqual({ tool_calls: 5 });
    await take(user);
    await calls.onApplicationShutdown();
    expect(await meters.getUse(user)).toEqual({ tool_calls: 6 });
  });

  it('have the limit that they got meanwhile from the next second on', async () => {
    const user = await unlimited();
    await times(3, () => take(user));
    await database.query("UPDATE subscriptions SET plan_id = 'free' WHERE user_id = $1", [user]);
    await meters.addUse(user, 'tool_calls', 500);
    expect(await take(user)).toMatchObject({ granted: true });
    pass();
    expect(await take(user)).toMatchObject({ granted: false, limit: 500 });
  });

  it('of one who was erased meanwhile are counted for nobody', async () => {
    const user = await unlimited();
    await times(3, () => take(user));
    await database.query('UPDATE users SET erased_at = now() WHERE id = $1', [user]);
    pass();
    await expect(take(user)).rejects.toThrow(user);
  });
});

describe('while somebody else holds the row and the counter of a user', () => {
  /** A process that waits for the test, and one that gives up early. */
  let patient: CallCountsService;
  let impatient: CallCountsService;
  beforeAll(async () => {
    patient = new CallCountsService(await database.connectSeparately({ isPatient: true }), log);
    patient.calls.longestWaitMs = 2 ** 31 - 1;
    impatient = new CallCountsService(await database.connectSeparately(), log);
    impatient.calls.longestWaitMs = 50;
  });

  it('calls of others are counted at once, and theirs when it ends', async () => {
    const [held, unused] = [await userWith(1), await database.createUser()];
    const more = await times(6, () => userWith(1));
    const others = [await userWith(1), await userWith(2), await database.createUser()];
    const lock = await lockUsers(database, [held, unused, ...more]);
    let isOver = false;
    const pending: Promise<{ granted: boolean; isOver: boolean }>[] = [];
    const takeHeld = (user: string) => pending.push(take(user, patient).then(({ granted }) => ({ granted, isOver })));
    for (const user of [...Array<string>(20).fill(held), unused]) takeHeld(user);
    await lock.waitForBlocked(2);
    for (const user of more) takeHeld(user);
    for (let round = 0; round < 3; round++) {
      const uses = await Promise.all(others.flatMap((user) => [take(user, patient), take(user, other)]));
      expect(uses.map(({ granted }) => granted)).toEqual(Array(6).fill(true));
      takeHeld(held);
    }
    isOver = true;
    await lock.release();
    expect(await Promise.all(pending)).toEqual(Array(30).fill({ granted: true, isOver: true }));
    expect([await meters.getUse(held), await meters.getUse(unused)]).toEqual([{ tool_calls: 24 }, { tool_calls: 1 }]);
    for (const user of more) expect(await meters.getUse(user)).toEqual({ tool_calls: 2 });
  });

  it('one who waited too long is told to try again, and has lost nothing', async () => {
    const users = [await userWith(1), await database.createUser(), ...(await times(6, () => userWith(1)))];
    const lock = await lockUsers(database, users);
    for (const use of await Promise.allSettled(users.map((user) => take(user, impatient)))) {
      expect(use).toMatchObject({
        status: 'rejected',
        reason: { status: 503, code: 'unavailable', options: { headers: { 'Retry-After': '1' } } },
      });
    }
    await lock.release();
    expect((await Promise.all(users.map((user) => take(user, impatient)))).map(({ used }) => used)).toEqual([
      2, 1, 2, 2, 2, 2, 2, 2,
    ]);
  });

  it('who is erased meanwhile is not counted, and nothing is left of them', async () => {
    const [held, unused, user] = [await userWith(3), await userWith(0), await userWith(0)];
    const lock = await lockUsers(database, [held, unused]);
    await lock.runStatement('DELETE FROM usage_counters WHERE user_id = ANY ($1)', [[held, unused]]);
    const uses = Promise.allSettled([take(held, patient), take(unused, patient), take(user, patient)]);
    await take(user, patient);
    await lock.waitForBlocked(2);
    await lock.runStatement('UPDATE users SET erased_at = now() WHERE id = ANY ($1)', [[held, unused]]);
    await lock.release();
    expect((await uses).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    await expect(take(held)).rejects.toThrow('There is no user');
    expect(await database.query('SELECT used FROM usage_counters WHERE user_id = ANY ($1)', [[held, unused]])).toEqual(
      [],
    );
  });

  it('what fails for them fails for nobody else', async () => {
    const [broken, user] = [await userWith(1), await userWith(1)];
    await database.query(
      `CREATE FUNCTION refuse_broken() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'broken'; END $$;
       CREATE TRIGGER refuse_broken BEFORE UPDATE ON usage_counters FOR EACH ROW WHEN (OLD.user_id = '${broken}') EXECUTE FUNCTION refuse_broken()`,
    );
    try {
      const uses = await Promise.allSettled([take(broken), take(user), take(broken), take(user)]);
      expect(uses.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled']);
    } finally {
      await database.query('DROP FUNCTION refuse_broken CASCADE');
    }
  });
});
