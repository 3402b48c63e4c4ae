import { CommissionsService } from '@platform/billing';
import type { AppEarningsResponse, DeveloperProfileResponse, EarningsResponse, KeyResponse } from '@platform/contracts';
import { until } from '@platform/testing';
import { chargeCalls, giveEarnings } from '../../testing/charges.js';
import { createDraftApp, newDeveloper, type TestDeveloper } from '../../testing/developers.js';
import { GatewayTest } from '../../testing/gateway-test.js';
import { waitIfMidnightIsNear } from '../../testing/midnight.js';
import { createTenant } from '../../testing/tenants.js';
import { giveCredits } from '../../testing/wallets.js';

let gateway: GatewayTest;
beforeAll(async () => (gateway = await GatewayTest.start({ DEVELOPER_TIER_LIMITS: 'standard' })));
afterEach(() => gateway.service.query("UPDATE billing_clock SET ahead = '0'"));
afterAll(() => gateway.stop());

const EARNINGS = '/v1/developer/earnings';
const earningsOf = async ({ client }: TestDeveloper) => (await client.get<EarningsResponse>(EARNINGS)).body;
const bookAll = () => gateway.service.app.get(CommissionsService).bookDueShares();
const due = async ({ user }: TestDeveloper) => {
  const [row] = await gateway.service.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM commission_due WHERE developer_id = $1',
    [user.id],
  );
  return row?.count;
};
const bookedOf = async ({ user }: TestDeveloper) => {
  const [row] = await gateway.service.query<Record<string, number>>(
    `SELECT w.balance::int AS balance, (SELECT sum(amount)::int FROM ledger_entries e WHERE e.wallet_id = w.id AND kind = 'commission') AS commissions,
       (SELECT sum(share)::int FROM earnings_by_day WHERE developer_id = w.user_id) AS by_day,
       (SELECT sum(share)::int FROM app_earnings WHERE developer_id = w.user_id) AS of_apps,
       (SELECT sum(calls)::int FROM app_earnings WHERE developer_id = w.user_id) AS calls
     FROM wallets w WHERE w.user_id = $1 AND w.kind = 'earnings'`,
    [user.id],
  );
  return row;
};
/** Returns the wallet of a new user with credits. */
const caller = async (changes = {}, credits = 10_000_000) =>
  giveCredits(gateway, (await gateway.user(changes)).id, credits, { earns: true });
const NOTHING = { total_earnings: 0, total_platform_share: 0, pending_payout: 0, paid_out: 0, available: 0 };

describe('what a developer has earned', () => {
  it('is nothing at first', async () => {
    const developer = await newDeveloper(gateway);
    expect(await developer.client.get(EARNINGS)).toMatchObject({ status: 200, body: NOTHING });
  });

  it('is told at once, and the same when it is booked', async () => {
    const developer = await newDeveloper(gateway);
    const { app_id } = await createDraftApp(developer);
    const wallet = await caller();
    // floor(33 × 70 / 100) is 23.
    await chargeCalls(gateway, wallet, { developerId: developer.user.id, appId: app_id, price: 33, calls: 3 });
    const earned = { total_earnings: 69, total_platform_share: 30, pending_payout: 69, paid_out: 0, available: 69 };
    const ofApp = {
      app_id,
      total_earnings: 69,
      action_count: 3,
      by_period: [{ day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), total: 69 }],
    };
    for (const book of [() => Promise.resolve(true), bookAll]) {
      await book();
      expect(await earningsOf(developer)).toEqual(earned);
      expect(await developer.client.get(`${EARNINGS}/${app_id}`)).toMatchObject({ status: 200, body: ofApp });
      expect((await developer.client.get<DeveloperProfileResponse>('/v1/developer/profile')).body.total_earnings).toBe(
        69,
      );
    }
    expect(await due(developer)).toBe(0);
    expect(await bookedOf(developer)).toEqual({ balance: 69, commissions: 69, by_day: 69, of_apps: 69, calls: 3 });
  });

  it('comes of credits that earn, and of users of every tenant', async () => {
    const developer = await newDeveloper(gateway);
    const { id: tenant_id } = await createTenant(gateway.backend());
    const call = { developerId: developer.user.id, appId: 'an-app', price: 100 };
    await chargeCalls(gateway, await caller({ tenant_id }), call);
    await chargeCalls(gateway, await giveCredits(gateway, (await gateway.user()).id, 100), call);
    expect(await earningsOf(developer)).toMatchObject({ total_earnings: 70, total_platform_share: 30 });
  });

  it('is told by days as far back as analytics of the tier go, with what is not booked', async () => {
    await waitIfMidnightIsNear();
    const developer = await newDeveloper(gateway, 'explorer'); // 7 days
    const { app_id } = await createDraftApp(developer);
    const wallet = await caller();
    const call = { developerId: developer.user.id, appId: app_id, price: 10, split: 100 };
    for (const days of [0, 1, 3, 9]) {
      await gateway.service.query('UPDATE billing_clock SET ahead = make_interval(days => $1)', [days]);
      await chargeCalls(gateway, wallet, { ...call, calls: days + 1 });
      await chargeCalls(gateway, wallet, { ...call, function: 'list_notes' });
      if (days === 1) await bookAll();
    }
    const { body } = await developer.client.get<AppEarningsResponse>(`${EARNINGS}/${app_id}`);
    expect(body).toMatchObject({ total_earnings: 210, action_count: 21 });
    const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
    expect(body.by_period).toEqual([
      { day: day(3), total: 50 },
      { day: day(9), total: 110 },
    ]);
  });

  it('is read when the app is gone', async () => {
    const developer = await newDeveloper(gateway);
    const { app_id } = await createDraftApp(developer);
    await chargeCalls(gateway, await caller(), { developerId: developer.user.id, appId: app_id, price: 100 });
    expect((await developer.client.delete(`/v1/developer/apps/${app_id}`)).status).toBe(422);
    await gateway.service.query('DELETE FROM apps WHERE app_id = $1', [app_id]);
    expect(await developer.client.get(`${EARNINGS}/${app_id}`)).toMatchObject({
      status: 200,
      body: { total_earnings: 70 },
    });
  });

  it('is for nobody else', async () => {
    const [developer, other] = [await newDeveloper(gateway), await newDeveloper(gateway)];
    const { app_id } = await createDraftApp(developer);
    await chargeCalls(gateway, await caller(), { developerId: developer.user.id, appId: app_id, price: 100 });
    for (const path of [`${EARNINGS}/${app_id}`, `${EARNINGS}/no-such-app`]) {
      expect(await other.client.get(path)).toMatchObject({ status: 404, body: { code: 'app.not_found' } });
    }
    expect(await earningsOf(other)).toEqual(NOTHING);
    const nobody = gateway.actingFor((await gateway.user()).id);
    for (const path of [EARNINGS, `${EARNINGS}/${app_id}`]) {
      expect(await nobody.get(path)).toMatchObject({ status: 403, body: { code: 'developer.not_registered' } });
      expect((await gateway.client().get(path)).status).toBe(401);
    }
  });

  it('is read with an API key that was given it', async () => {
    const { user } = await newDeveloper(gateway);
    const client = await gateway.signIn(user);
    const read = async (scopes: string) => {
      const { body } = await client.post<KeyResponse>('/v1/keys', { name: scopes, scopes });
      return (await gateway.client().withToken(body.key).get(EARNINGS)).status;
    };
    expect([await read('billing:read'), await read('apps:read')]).toEqual([200, 403]);
  });

  it('of an app with the id of an earlier one of somebody else is theirs alone', async () => {
    const [first, second] = [await newDeveloper(gateway), await newDeveloper(gateway)];
    const wallet = await caller();
    await chargeCalls(gateway, wallet, { developerId: first.user.id, appId: 'handed-on', price: 100 });
    await chargeCalls(gateway, wallet, { developerId: second.user.id, appId: 'handed-on', price: 10 });
    await bookAll();
    const of = async ({ client }: TestDeveloper) =>
      (await client.get<AppEarningsResponse>(`${EARNINGS}/handed-on`)).body.total_earnings;
    expect([await of(first), await of(second)]).toEqual([70, 7]);
  });
});

describe('booking', () => {
  it('books the shares of many developers, an entry for each app of a batch', async () => {
    const developers = await Promise.all(Array.from({ length: 3 }, () => newDeveloper(gateway)));
    const wallet = await caller();
    for (const { user } of developers) {
      for (const appId of ['one-app', 'other-app'])
        await chargeCalls(gateway, wallet, { developerId: user.id, appId, price: 10, calls: 20 });
    }
    expect(await bookAll()).toBe(true);
    for (const developer of developers)
      expect(await bookedOf(developer)).toMatchObject({ balance: 280, commissions: 280, by_day: 280, calls: 40 });
    const [{ entries } = { entries: 0 }] = await gateway.service.query<{ entries: number }>(
      `SELECT count(*)::int AS entries FROM ledger_entries e JOIN wallets w ON w.id = e.wallet_id WHERE w.user_id = ANY ($1) AND w.kind = 'earnings'`,
      [developers.map(({ user }) => user.id)],
    );
    expect(entries).toBe(6);
  });

  it('goes on where its time was over', async () => {
    const commissions = gateway.service.app.get(CommissionsService);
    const developers = await Promise.all(Array.from({ length: 3 }, () => newDeveloper(gateway)));
    for (const { user } of developers) await giveEarnings(gateway, user.id, 10);
    let rounds = 0;
    while (!(await commissions.bookDueShares(0))) rounds++;
    expect(rounds).toBeGreaterThanOrEqual(3);
    for (const developer of developers) expect(await due(developer)).toBe(0);
  });

  it('is kept from nobody by one whose shares cannot be booked', async () => {
    const developer = await newDeveloper(gateway);
    const wallet = await caller();
    await chargeCalls(gateway, wallet, { developerId: ' nobody', appId: 'an-app', price: 10 });
    await chargeCalls(gateway, wallet, { developerId: developer.user.id, appId: 'an-app', price: 10 });
    expect(await bookAll()).toBe(true);
    expect(await bookedOf(developer)).toMatchObject({ balance: 7 });
    expect(gateway.service.logLines.join()).toContain('the shares of a developer could not be booked');
    await gateway.service.query("DELETE FROM commission_due WHERE developer_id = ' nobody'");
  });

  it('is never seen halfway', async () => {
    const developer = await newDeveloper(gateway);
    const wallet = await caller();
    await chargeCalls(gateway, wallet, { developerId: developer.user.id, appId: 'an-app', price: 10, calls: 2_500 });
    const seen = new Set<string>();
    const see = async () => seen.add(JSON.stringify(await earningsOf(developer)));
    const booking = { isDone: false };
    const watching = (async () => {
      while (!booking.isDone) await see();
    })();
    try {
      await bookAll();
    } finally {
      booking.isDone = true;
      await watching;
    }
    await see();
    expect([...seen].map((text) => JSON.parse(text) as EarningsResponse)).toEqual([
      { total_earnings: 17_500, total_platform_share: 7_500, pending_payout: 17_500, paid_out: 0, available: 17_500 },
    ]);
  });

  it('comes by itself', async () => {
    const developer = await newDeveloper(gateway);
    await giveEarnings(gateway, developer.user.id, 10);
    await gateway.runScheduledJob('book-commissions');
    await until(async () => (await due(developer)) === 0);
  });
});
