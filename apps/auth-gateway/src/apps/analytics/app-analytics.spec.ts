import { LedgerService, WalletsRepository } from '@platform/billing';
import type { AppAnalyticsResponse, DeveloperTier } from '@platform/contracts';
import { createDraftApp, newDeveloper } from '../../testing/developers.js';
import { GatewayTest } from '../../testing/gateway-test.js';
import { waitIfMidnightIsNear } from '../../testing/midnight.js';

let gateway: GatewayTest;
beforeAll(async () => (gateway = await GatewayTest.start({ DEVELOPER_TIER_LIMITS: 'standard' })));
beforeEach(waitIfMidnightIsNear); // days are counted
afterAll(() => gateway.stop());

async function analyticsOf(tier: DeveloperTier) {
  const developer = await newDeveloper(gateway, tier);
  const { app_id } = await createDraftApp(developer);
  return {
    app_id,
    get: (query = '') => developer.client.get<AppAnalyticsResponse>(`/v1/developer/apps/${app_id}/analytics${query}`),
  };
}

it('has a row for each day up to today, and counts nothing where nothing was called', async () => {
  const { app_id, get } = await analyticsOf('indie');
  const { status, body } = await get('?days=3');
  const { revenue_chart: chart, ...rest } = body;
  expect({ status, rest }).toEqual({
    status: 200,
    rest: { app_id, days: 3, total_calls: 0, total_revenue: 0, unique_users: 0, top_functions: [] },
  });
  const days = chart.map(({ day }) => Date.parse(`${day}T00:00:00Z`) / 86_400_000);
  expect(days.map((day) => day - (days[0] as number))).toEqual([0, 1, 2]);
  expect(Math.abs(Date.now() / 86_400_000 - (days[2] as number))).toBeLessThan(1);
  expect(chart.map(({ revenue }) => revenue)).toEqual([0, 0, 0]);
});

it('counts calls, callers and functions of the days that it is about', async () => {
  const { app_id, get } = await analyticsOf('indie');
  const [one, other] = [await gateway.user(), await gateway.user()];
  const calls = [
    [one, 'create_note'],
    [one, 'list_notes'],
    [other, 'list_notes'],
  ] as const;
  await gateway.service.query(
    "INSERT INTO app_versions (app_id, version, sha256, manifest) VALUES ($1, '1.0.0', sha256('x'), $2)",
    [
      app_id,
      JSON.stringify({
        version: '1.0.0',
        tools: [{ name: 'create_note' }, { name: 'list_notes' }],
        skeleton_sections: [],
      }),
    ],
  );
  const record = { app_id, action_type: 'read', status: 'success' };
  for (const [at, [{ id }, tool_name]] of calls.entries()) {
    await gateway.backend().post('/v1/actions', { ...record, trace_id: `${app_id}-${at}`, user_id: id, tool_name });
  }
  const counts = { total_calls: 3, unique_users: 2 };
  const top_functions = [
    { function: 'list_notes', calls: 2, revenue: 0 },
    { function: 'create_note', calls: 1, revenue: 0 },
  ];
  expect((await get('?days=3')).body).toMatchObject({ ...counts, top_functions });
  await gateway.service.query("UPDATE actions SET created_at = now() - interval '5 days' WHERE trace_id = $1", [
    `${app_id}-0`,
  ]);
  expect((await get('?days=3')).body).toMatchObject({
    total_calls: 2,
    top_functions: [{ function: 'list_notes', calls: 2 }],
  });
});

describe('what an app earns', () => {
  /**
   * A call of another user, paid with credits. `earns`: true if developers get a share of these
   * credits.
   */
  async function charge(
    appId: string,
    developerId: string,
    name: string | undefined,
    amount: number,
    earns = true,
  ): Promise<void> {
    const { app } = gateway.service;
    const wallet = await app.get(WalletsRepository).ensureWallet((await gateway.user()).id);
    const key = `${appId}:${++charged}`;
    const movement = { amount, kind: 'admin_adjustment' } as const;
    await app.get(LedgerService).credit(wallet, { ...movement, key: `credit:${key}`, source: 'adjustment', earns });
    const of = {
      appId,
      ...(name !== undefined && { function: name }),
      priceVersion: 1,
      developer: { id: developerId, split: 70 },
    };
    const debit = { amount, key: `call:${key}`, kind: 'call_charge', charged: of } as const;
    expect(await app.get(LedgerService).debit(wallet, debit)).toMatchObject({ outcome: 'done' });
  }
  let charged = 0;
  const ahead = (time: string) => gateway.service.query('UPDATE billing_clock SET ahead = $1', [time]);
  afterEach(() => ahead('0'));

  it('is the shares of its developer, of each day, booked or not', async () => {
    const developer = await newDeveloper(gateway, 'indie');
    const { app_id } = await createDraftApp(developer);
    const other = await createDraftApp(developer);
    const get = async (days: number) => {
      const { body } = await developer.client.get<AppAnalyticsResponse>(
        `/v1/developer/apps/${app_id}/analytics?days=${days}`,
      );
      return {
        total: body.total_revenue,
        chart: body.revenue_chart.map(({ revenue }) => revenue),
        top: body.top_functions,
      };
    };
    await gateway.service.query(
      `INSERT INTO actions (id, trace_id, user_id, tenant_id, app_id, function, action_type, status)
       SELECT $1 || name || n, $1 || name || n, $2, 'default', $1, name, 'read', 'success' FROM unnest(ARRAY['make', 'look']) AS name, generate_series(1, 2) n
       UNION ALL SELECT $1 || 'free', $1 || 'free', $2, 'default', $1, 'free', 'read', 'success'`,
      [app_id, developer.user.id],
    );
    await ahead('-2 days');
    await charge(app_id, developer.user.id, 'make', 100);
    await ahead('0');
    await charge(app_id, developer.user.id, 'make', 15);
    await charge(app_id, developer.user.id, 'look', 30);
    await charge(app_id, developer.user.id, undefined, 1_000);
    await charge(app_id, developer.user.id, 'look', 500, false);
    await charge(other.app_id, developer.user.id, 'make', 7_000);
    await charge(app_id, (await newDeveloper(gateway)).user.id, 'make', 8_000);
    const functions = [
      { function: 'look', calls: 2, revenue: 21 },
      { function: 'make', calls: 2, revenue: 80 },
      { function: 'free', calls: 1, revenue: 0 },
    ];
    const wanted = { total: 801, chart: [70, 0, 731], top: functions };
    expect(await get(3)).toEqual(wanted);
    expect(await get(1)).toMatchObject({
      total: 731,
      chart: [731],
      top: [{ revenue: 21 }, { revenue: 10 }, { revenue: 0 }],
    });
    // First one commission is booked, then all; the result must be the same.
    const earnings = await gateway.service.app.get(WalletsRepository).ensureWallet(developer.user.id, 'earnings');
    for (const limit of [1, 100]) {
      await gateway.service.query('SELECT ledger_book_commissions($1, $2)', [earnings, limit]);
      expect(await get(3)).toEqual(wanted);
    }
    await charge(app_id, developer.user.id, 'look', 10);
    expect(await get(3)).toMatchObject({ total: 808, chart: [70, 0, 738] });
    await ahead('1 day');
    expect((await get(3)).chart).toEqual([0, 738, 0]);
  });
});

it.each([
  ['explorer', 7, 7],
  ['indie', 30, 30],
  ['studio', 90, 30],
  ['partner', 365, 30],
] as const)('goes back as far as the tier %s allows: %i days, and %i unless told', async (tier, most, fallback) => {
  const { get } = await analyticsOf(tier);
  expect((await get()).body.revenue_chart).toHaveLength(fallback);
  expect((await get(`?days=${most}`)).body.revenue_chart).toHaveLength(most);
  if (most < 365) {
    expect(await get(`?days=${most + 1}`)).toMatchObject({
      status: 400,
      body: { code: 'analytics.beyond_tier', maximum_days: most },
    });
  }
});

it.each(['0', '366', '-1', 'ten', '1.5', ''])('refuses ?days=%s', async (days) => {
  const { get } = await analyticsOf('partner');
  expect(await get(`?days=${days}`)).toMatchObject({ status: 422, body: { detail: [{ loc: ['query', 'days'] }] } });
});
