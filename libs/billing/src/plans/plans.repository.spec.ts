import { BillingDatabase } from '../testing/billing-database.js';
import { PLAN_DEFINITIONS } from './plan-definitions.js';
import { PlansRepository } from './plans.repository.js';
import { seedPlans } from './seed-plans.js';

let database: BillingDatabase;
let plans: PlansRepository;
beforeAll(async () => {
  database = await BillingDatabase.start();
  plans = new PlansRepository(database.dataSource);
});
afterAll(() => database.stop());

const versions = async () =>
  (
    await database.query<{ id: string; versions: number }>(
      'SELECT id, count(*)::int AS versions FROM plans GROUP BY id ORDER BY min(rank)',
    )
  ).map(({ id, versions }) => `${id} ${versions}`);
const ONE_OF_EACH = ['free 1', 'starter 1', 'pro 1', 'business 1', 'enterprise 1'];

it('are what the platform sells, the smallest first', async () => {
  const newest = await plans.listNewest();
  expect(
    newest.map(({ id, priceCents, includedTokens, limits, selfService }) => [
      id,
      priceCents,
      includedTokens,
      limits,
      selfService,
    ]),
  ).toEqual([
    ['free', 0, 1_000, { tool_calls: 500, automations: 10 }, false],
    ['starter', 900, 9_000, { tool_calls: 5_000, automations: 25 }, false],
    ['pro', 2_900, 30_000, { tool_calls: 20_000, automations: 100 }, true],
    ['business', 9_900, 110_000, { tool_calls: 100_000, automations: 500 }, true],
    ['enterprise', null, 0, {}, false],
  ]);
  for (const { features } of newest)
    expect(Object.keys(features).sort()).toEqual(['coding', 'connections', 'connectors', 'file_reader', 'voice']);
});

it('that are as they were stay so', async () => {
  await seedPlans(database.dataSource);
  expect(await versions()).toEqual(ONE_OF_EACH);
});

it('that change become a new version, once, also where several processes say so', async () => {
  const changed = PLAN_DEFINITIONS.map((plan) =>
    plan.id === 'pro' ? { ...plan, limits: { ...plan.limits, tool_calls: 30_000 } } : plan,
  );
  await Promise.all(Array.from({ length: 8 }, () => seedPlans(database.dataSource, changed)));
  expect(await versions()).toEqual(ONE_OF_EACH.map((one) => (one === 'pro 1' ? 'pro 2' : one)));
  expect((await plans.listNewest()).find(({ id }) => id === 'pro')).toMatchObject({
    version: 2,
    limits: { tool_calls: 30_000, automations: 100 },
  });
  const [first] = await database.query("SELECT limits FROM plans WHERE id = 'pro' AND version = 1");
  expect(first).toEqual({ limits: { tool_calls: 20_000, automations: 100 } });
});

it.each([
  "UPDATE plans SET price_cents = 1 WHERE id = 'pro'",
  "DELETE FROM plans WHERE id = 'enterprise'",
  'TRUNCATE plans CASCADE',
])('are never changed: %s', async (statement) => {
  await expect(database.query(statement)).rejects.toThrow('rows of plans are never changed or removed');
});
