import type { AppAnalyticsResponse, DeveloperTier } from '@platform/contracts';
import { createApp, newDeveloper } from '../../testing/developers.js';
import { GatewayTest } from '../../testing/gateway.js';

let gateway: GatewayTest;
beforeAll(async () => (gateway = await GatewayTest.start()));
afterAll(() => gateway.stop());

async function analyticsOf(tier: DeveloperTier) {
  const developer = await newDeveloper(gateway, tier);
  const { app_id } = await createApp(developer);
  return { app_id, get: (query = '') => developer.client.get<AppAnalyticsResponse>(`/v1/developer/apps/${app_id}/analytics${query}`) };
}

it('has a row for each day up to today, and counts nothing while nothing is recorded', async () => {
  const { app_id, get } = await analyticsOf('indie');
  const { status, body } = await get('?days=3');
  const { revenue_chart: chart, ...rest } = body;
  expect({ status, rest }).toEqual({
    status: 200,
    rest: { app_id, days: 3, total_calls: 0, total_revenue: 0, unique_users: 0, top_functions: [] },
  });
  const days = chart.map(({ day }) => Date.parse(`${day}T00:00:00Z`) / 86_400_000);
  expect(days.map((day) => day - (days[0] as number))).toEqual([0, 1, 2]);
  expect(Math.abs(Date.now() / 86_400_000 - (days[2] as number))).toBeLessThan(1.01);
  expect(chart.map(({ revenue }) => revenue)).toEqual([0, 0, 0]);
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
    expect(await get(`?days=${most + 1}`)).toMatchObject({ status: 400, body: { code: 'analytics.beyond_tier', maximum_days: most } });
  }
});

it.each(['0', '366', '-1', 'ten', '1.5', ''])('refuses ?days=%s', async (days) => {
  const { get } = await analyticsOf('partner');
  expect(await get(`?days=${days}`)).toMatchObject({ status: 422, body: { detail: [{ loc: ['query', 'days'] }] } });
});
