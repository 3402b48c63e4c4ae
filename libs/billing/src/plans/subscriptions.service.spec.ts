import { TenantData } from '@platform/persistence';
import { LedgerService } from '../ledger/ledger.service.js';
import { WalletsRepository } from '../ledger/wallets.repository.js';
import { BillingDatabase } from '../testing/billing-database.js';
import { PLAN_DEFINITIONS } from './plan-definitions.js';
import { PlanGrantsService } from './plan-grants.service.js';
import { seedPlans } from './seed-plans.js';
import { SUBSCRIPTION_BATCH, SubscriptionsService } from './subscriptions.service.js';

let database: BillingDatabase;
let wallets: WalletsRepository;
let subscriptions: SubscriptionsService;
let other: SubscriptionsService;

beforeAll(async () => {
  database = await BillingDatabase.start();
  const ledger = new LedgerService(database.dataSource);
  wallets = new WalletsRepository(database.dataSource, ledger);
  subscriptions = new SubscriptionsService(database.dataSource, new PlanGrantsService(ledger, wallets));
  const beside = await database.connectSeparately();
  const otherLedger = new LedgerService(beside);
  other = new SubscriptionsService(
    beside,
    new PlanGrantsService(otherLedger, new WalletsRepository(beside, otherLedger)),
  );
});
beforeEach(() => database.query("UPDATE billing_clock SET ahead = '0'"));
afterAll(() => database.stop());

const tenant = () => new TenantData(database.dataSource.manager, 'default');
const available = async (userId: string) => (await wallets.getWalletState(tenant(), userId)).available;
const subscriptionOf = async (userId: string) =>
  (
    await database.query<{ id: string; status: string; n: number; starts: string; ends: string }>(
      `SELECT id, status, period_number AS n, to_char(period_starts_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS starts,
         to_char(period_ends_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS ends FROM subscriptions WHERE user_id = $1`,
      [userId],
    )
  ).map(({ id: _id, ...row }) => row);
const grants = async (userId: string) =>
  database.query<{ idem_key: string; amount: string }>(
    `SELECT idem_key, amount FROM ledger_entries e JOIN wallets w ON w.id = e.wallet_id
     WHERE w.user_id = $1 AND e.kind = 'subscription_grant' ORDER BY e.seq`,
    [userId],
  );

const fail = (_id: string, error: unknown): never => {
  throw error;
};

async function openAll(...by: SubscriptionsService[]): Promise<void> {
  await Promise.all(
    by.map(async (each) => {
      while (await each.openPeriods(fail));
    }),
  );
}

/** Subscription of every user without another plan. */
const FREE = {
  plan: 'free',
  version: 1,
  status: 'active',
  priceCents: 0,
  includedTokens: 1_000,
  limits: { tool_calls: 500, automations: 10 },
  cancelAtPeriodEnd: false,
  pendingPlan: null,
};

describe('a new user', () => {
  it('has the free plan with the credits of a month', async () => {
    const user = await database.createUser();
    await subscriptions.ensureFreePlan(user);
    expect(await subscriptions.getCurrentPlan(user)).toEqual({
      ...FREE,
      subscriptionId: expect.stringMatching(/^sub_/),
      startedAt: expect.any(Date),
      openUntil: expect.any(Date),
      period: { number: 1, startsAt: expect.any(Date), endsAt: expect.any(Date) },
    });
    const [entry] = await database.query<{ lots: { expires_at: string }[] }>(
      'SELECT e.* FROM ledger_entries e JOIN wallets w ON w.id = e.wallet_id WHERE w.user_id = $1',
      [user],
    );
    expect(entry).toMatchObject({
      amount: '1000',
      kind: 'subscription_grant',
      counter: 'plan_grant',
      lots: [{ source: 'plan', earns: false }],
    });
    const { period } = await subscriptions.getCurrentPlan(user);
    expect(Date.parse(entry?.lots[0]?.expires_at as string)).toBe(period.endsAt.getTime());
  });

  it('has it once, however often and by whoever it is given', async () => {
    const user = await database.createUser();
    await Promise.all([subscriptions, other, subscriptions, other].map((each) => each.ensureFreePlan(user)));
    await subscriptions.ensureFreePlan(user);
    expect(await subscriptionOf(user)).toHaveLength(1);
    expect(await grants(user)).toHaveLength(1);
    expect(await available(user)).toBe(1_000);
  });

  it('of whom nothing is known yet has what the free plan allows, in calendar months', async () => {
    const user = await database.createUser();
    await database.setTime('2031-05-17T12:00:00Z');
    expect(await subscriptions.getCurrentPlan(user)).toEqual({
      ...FREE,
      subscriptionId: null,
      startedAt: null,
      openUntil: null,
      period: { number: 1, startsAt: new Date('2031-05-01T00:00:00Z'), endsAt: new Date('2031-06-01T00:00:00Z') },
    });
  });

  it('gets none where they are erased', async () => {
    const user = await database.createUser({ erased: true });
    await subscriptions.ensureFreePlan(user);
    expect(await subscriptionOf(user)).toEqual([]);
    expect(await wallets.findWalletId(user)).toBeNull();
  });
});

it('users without a plan get it too, in batches, and nobody is left out', async () => {
  const users = await Promise.all(Array.from({ length: 105 }, () => database.createUser()));
  const erased = await database.createUser({ erased: true });
  await database.query("UPDATE users SET created_at = now() - interval '2 hours'");
  const young = await database.createUser();
  let last = '';
  let batches = 0;
  for (
    let ids = await subscriptions.ensureFreePlans(last);
    ids.length;
    ids = await subscriptions.ensureFreePlans(last)
  ) {
    last = ids.at(-1) as string;
    batches++;
  }
  expect(batches).toBeGreaterThan(1);
  const [count] = await database.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM subscriptions WHERE user_id = ANY ($1)',
    [[...users, erased, young]],
  );
  expect(count).toEqual({ count: 105 });
  expect(await available(users[104] as string)).toBe(1_000);
});

describe('months', () => {
  /** Creates a user with a first month from January 31, in billing time. */
  const userSinceJanuary = async () => {
    await database.setTime('2031-01-31T10:30:00Z');
    const user = await database.createUser();
    await subscriptions.ensureFreePlan(user);
    return user;
  };

  it.each([
    ['2031-02-28T10:25:00Z', 1, '2031-01-31', '2031-02-28'],
    ['2031-02-28T10:35:00Z', 2, '2031-02-28', '2031-03-31'],
    ['2031-03-30T12:00:00Z', 2, '2031-02-28', '2031-03-31'],
    ['2031-03-31T10:35:00Z', 3, '2031-03-31', '2031-04-30'],
  ])(
    'begin on the day of the first, or on the last day of a month that is shorter: at %s it is number %d',
    async (moment, n, starts, ends) => {
      const user = await userSinceJanuary();
      await database.setTime(moment);
      await openAll(subscriptions);
      expect(await subscriptionOf(user)).toEqual([{ status: 'active', n, starts, ends }]);
    },
  );

  it('have their credits one after the other, once each', async () => {
    const user = await userSinceJanuary();
    for (const moment of [
      '2031-02-28T10:25:00Z',
      '2031-02-28T10:35:00Z',
      '2031-03-30T12:00:00Z',
      '2031-03-31T10:35:00Z',
    ]) {
      await database.setTime(moment);
      await openAll(subscriptions);
    }
    expect(await subscriptionOf(user)).toEqual([{ status: 'active', n: 3, starts: '2031-03-31', ends: '2031-04-30' }]);
    expect((await grants(user)).map(({ idem_key }) => idem_key.replace(/^grant:sub_\w+:/, ''))).toEqual([
      '1',
      '2',
      '3',
    ]);
  });

  it.each([
    ['2031-01-31T10:30:00Z', '2031-01-31T10:30:00Z', 1],
    ['2031-01-31T10:30:00Z', '2031-02-28T10:29:59.999999Z', 1],
    ['2031-01-31T10:30:00Z', '2031-02-28T10:30:00Z', 2],
    ['2031-01-31T10:30:00Z', '2032-02-29T10:30:00Z', 14],
    ['2031-12-15T00:00:00Z', '2032-01-14T23:59:59Z', 1],
    ['2031-12-15T00:00:00Z', '2032-01-15T00:00:00Z', 2],
    ['2031-12-15T00:00:00Z', '2031-11-01T00:00:00Z', 1],
  ])('from %s on, %s is in number %d', async (anchor, moment, number) => {
    const [row] = await database.query<{ number: number }>('SELECT billing_period_at($1, $2) AS number', [
      anchor,
      moment,
    ]);
    expect(row).toEqual({ number });
  });

  it('do not add up: what is left of one is gone when the next begins', async () => {
    const user = await database.createUser();
    await subscriptions.ensureFreePlan(user);
    await database.query("UPDATE billing_clock SET ahead = '32 days'");
    expect(await available(user)).toBe(0);
    await openAll(subscriptions);
    expect(await available(user)).toBe(1_000);
  });

  it('that nobody opened are not made up for: the one that it is now counts', async () => {
    await database.setTime('2031-05-10T00:00:00Z');
    const user = await database.createUser();
    await subscriptions.ensureFreePlan(user);
    await database.setTime('2031-09-12T00:00:00Z');
    const before = await subscriptions.getCurrentPlan(user);
    expect(before.period).toEqual({ number: 5, startsAt: expect.any(Date), endsAt: expect.any(Date) });
    await openAll(subscriptions);
    expect(await subscriptionOf(user)).toEqual([{ status: 'active', n: 5, starts: '2031-09-10', ends: '2031-10-10' }]);
    expect(await grants(user)).toHaveLength(2);
    expect((await subscriptions.getCurrentPlan(user)).period.number).toBe(5);
  });

  it('are opened once by several processes, and once more after a crash between the credits and the month', async () => {
    const users = await Promise.all(Array.from({ length: 30 }, () => database.createUser()));
    for (const user of users) await subscriptions.ensureFreePlan(user);
    await database.query("UPDATE billing_clock SET ahead = '32 days'");
    await openAll(subscriptions, other, subscriptions, other);
    await database.query(
      `UPDATE subscriptions SET period_number = 1, period_starts_at = anchor_at, period_ends_at = billing_period_start(anchor_at, 2) WHERE user_id = $1`,
      [users[0]],
    );
    await openAll(subscriptions, other);
    for (const user of users) {
      expect((await grants(user)).map(({ amount }) => amount)).toEqual(['1000', '1000']);
      expect(await subscriptionOf(user)).toMatchObject([{ n: 2 }]);
    }
  });

  it('are opened for everybody else where the credits of a hundred cannot be given', async () => {
    const stuck = await Promise.all(Array.from({ length: SUBSCRIPTION_BATCH }, () => database.createUser()));
    for (const user of stuck) await subscriptions.ensureFreePlan(user);
    const user = await database.createUser();
    await subscriptions.ensureFreePlan(user);
    await database.query("UPDATE billing_clock SET ahead = '32 days'");
    const wallet = jest.spyOn(wallets, 'ensureWallet').mockImplementation((id) => {
      if (stuck.includes(id)) return Promise.reject(new Error('stuck'));
      return new WalletsRepository(database.dataSource, new LedgerService(database.dataSource)).ensureWallet(id);
    });
    const failed = jest.fn();
    try {
      for (let batch = 0; batch < 2; batch++) await subscriptions.openPeriods(failed);
      expect(failed.mock.calls.length).toBeGreaterThanOrEqual(SUBSCRIPTION_BATCH);
      expect(await subscriptionOf(user)).toMatchObject([{ n: 2 }]);
      expect(await subscriptionOf(stuck[0] as string)).toMatchObject([{ n: 1 }]);
    } finally {
      wallet.mockRestore();
    }
    await openAll(subscriptions);
    expect(await subscriptionOf(stuck[0] as string)).toMatchObject([{ n: 2 }]);
  });

  it('of a plan that is paid are not opened by this', async () => {
    const user = await database.createUser();
    await database.query(
      `INSERT INTO subscriptions (id, tenant_id, user_id, plan_id, plan_version, status, started_at, anchor_at, period_number, period_starts_at,
         period_ends_at) VALUES ('sub_paid', 'default', $1, 'pro', 1, 'active', now(), now(), 1, now(), now() + interval '1 month')`,
      [user],
    );
    await database.query("UPDATE billing_clock SET ahead = '32 days'");
    await openAll(subscriptions);
    expect(await subscriptionOf(user)).toMatchObject([{ n: 1 }]);
    expect(await subscriptions.getCurrentPlan(user)).toMatchObject({
      plan: 'pro',
      priceCents: 2_900,
      period: { number: 2 },
    });
  });
});

describe('a new version of a plan', () => {
  // Restores the plans.
  afterEach(() => seedPlans(database.dataSource));

  it('a version that was taken stays as it was, and who comes later takes the new one', async () => {
    const [before, after] = [await database.createUser(), await database.createUser()];
    await subscriptions.ensureFreePlan(before);
    const smaller = PLAN_DEFINITIONS.map((plan) =>
      plan.id === 'free' ? { ...plan, included_tokens: 100, limits: { tool_calls: 50, automations: 1 } } : plan,
    );
    await seedPlans(database.dataSource, smaller);
    await subscriptions.ensureFreePlan(after);
    await database.query("UPDATE billing_clock SET ahead = '32 days'");
    await openAll(subscriptions);
    expect(await subscriptions.getCurrentPlan(before)).toMatchObject({
      version: 1,
      limits: { tool_calls: 500, automations: 10 },
    });
    expect(await subscriptions.getCurrentPlan(after)).toMatchObject({
      version: 2,
      limits: { tool_calls: 50, automations: 1 },
    });
    expect([await available(before), await available(after)]).toEqual([1_000, 100]);
  });

  it('earns developers something where the plan is paid, from its first month on', async () => {
    const paid = PLAN_DEFINITIONS.map((plan) => (plan.id === 'free' ? { ...plan, price_cents: 500 } : plan));
    await seedPlans(database.dataSource, paid);
    const user = await database.createUser();
    await subscriptions.ensureFreePlan(user);
    await database.query("UPDATE billing_clock SET ahead = '32 days'");
    await openAll(subscriptions);
    const lots = await database.query(
      `SELECT e.lots -> 0 -> 'earns' AS earns FROM ledger_entries e JOIN wallets w ON w.id = e.wallet_id
       WHERE w.user_id = $1 AND e.kind = 'subscription_grant' ORDER BY e.seq`,
      [user],
    );
    expect(lots).toEqual([{ earns: true }, { earns: true }]);
  });
});

it('has one plan at a time for a user', async () => {
  const user = await database.createUser();
  await subscriptions.ensureFreePlan(user);
  const again = database.query(
    `INSERT INTO subscriptions (id, tenant_id, user_id, plan_id, plan_version, status, started_at, anchor_at, period_number, period_starts_at,
       period_ends_at) VALUES ('sub_second', 'default', $1, 'pro', 1, 'past_due', now(), now(), 1, now(), now() + interval '1 month')`,
    [user],
  );
  await expect(again).rejects.toThrow('subscriptions_live_key');
});

describe('the limit of calls', () => {
  it.each([
    [0, 500],
    [20, 20],
    [700, 500],
  ])('where the role says %d is %d', async (ofRole, limit) => {
    const role = `limited_${ofRole}`;
    await database.query(
      `INSERT INTO roles (id, tenant_id, name, display_name, monthly_action_limit) VALUES ($1, 'default', $1, 'Limited', $2)`,
      [role, ofRole],
    );
    const user = await database.createUser({ role });
    await subscriptions.ensureFreePlan(user);
    expect((await subscriptions.getCurrentPlan(user)).limits).toMatchObject({ tool_calls: limit });
  });
});

it('an erased user is given nothing more, and what was given keeps its name', async () => {
  const user = await database.createUser();
  await subscriptions.ensureFreePlan(user);
  await database.query('UPDATE users SET erased_at = now() WHERE id = $1', [user]);
  await subscriptions.cancelSubscriptions(tenant(), user);
  await subscriptions.ensureFreePlan(user);
  await database.query("UPDATE billing_clock SET ahead = '32 days'");
  await openAll(subscriptions);
  expect(await subscriptionOf(user)).toMatchObject([{ status: 'canceled', n: 1 }]);
  expect(await grants(user)).toHaveLength(1);
});

it('there is no plan of nobody', async () => {
  await expect(subscriptions.getCurrentPlan('usr_nobody')).rejects.toThrow('There is no user usr_nobody');
});
