import type { AppCreateRequest, AppResponse } from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { CallTargetsService } from '../../extensions/calls/call-targets.service.js';
import { createApp as putApp, installApp, newAppId, pricedApp, setPrices, tool } from '../../testing/apps.js';
import { createDraftApp, storeDeployedVersion, newDeveloper, type TestDeveloper } from '../../testing/developers.js';
import { GatewayTest } from '../../testing/gateway-test.js';
import { getFunctionPrice, getCallPrice } from './app-prices.repository.js';

let gateway: GatewayTest;
let ada: TestDeveloper;
beforeAll(async () => {
  gateway = await GatewayTest.start();
  ada = await newDeveloper(gateway);
});
afterAll(() => gateway.stop());

const query = <Row>(sql: string, values: unknown[] = []) => gateway.service.query<Row>(sql, values);
const targetOf = (appId: string, userId: string) =>
  gateway.service.app.get(CallTargetsService).getTarget({ userId } as UserCaller, appId);

/** All price versions of an app, and the current one. */
async function pricesOf(appId: string) {
  const all = await query<{ version: number }>(
    `SELECT version, model, function_prices, monthly_price::int, split FROM app_prices WHERE app_id = $1 ORDER BY version`,
    [appId],
  );
  const [app] = await query<{ price_version: number | null }>('SELECT price_version FROM apps WHERE app_id = $1', [
    appId,
  ]);
  return { all, current: app?.price_version };
}
const update = async ({ app_id }: { app_id: string }, body: object) => {
  const answer = await ada.client.put<AppResponse>(`/v1/developer/apps/${app_id}`, body);
  expect(answer.status).toBe(200);
};
const move = async (appId: string, status: string) => {
  const answer = await gateway.backend().post(`/v1/admin/apps/${appId}/status`, { status });
  expect(answer.status).toBe(200);
};

describe('a price of an app', () => {
  const PER_CALL = { pricing_model: 'per_action', pricing_config: { tool_prices: { make: 20, look: 0 } } } as const;
  const FIRST = { version: 1, model: 'per_action', function_prices: { make: 20 }, monthly_price: 0, split: 95 };
  /** A draft that serves a version with some functions. */
  const serving = async (changes: Partial<AppCreateRequest> = {}, functions = ['make', 'look']) => {
    const app = await createDraftApp(ada);
    await storeDeployedVersion(gateway, app.app_id, '1.0.0', { tools: functions.map((name) => tool(name)) });
    await update(app, changes);
    return app;
  };

  it('is a version of its own whenever model, prices or share become others', async () => {
    const app = await serving(PER_CALL);
    const first = FIRST;
    expect(await pricesOf(app.app_id)).toEqual({ all: [first], current: 1 });
    await update(app, { name: 'Other', pricing_config: { tool_prices: { make: 20 }, monthly_price: 7, note: 'kept' } });
    await update(app, { tags: ['new'] });
    expect(await pricesOf(app.app_id)).toEqual({ all: [first], current: 1 });
    await update(app, { pricing_config: { tool_prices: { make: 21 } } });
    await update(app, { revenue_split_dev: 60 });
    await update(app, {
      pricing_model: 'subscription',
      pricing_config: { tool_prices: { make: 21 }, monthly_price: 500 },
    });
    const second = { ...first, version: 2, function_prices: { make: 21 } };
    const fourth = { version: 4, model: 'subscription', function_prices: {}, monthly_price: 500, split: 60 };
    expect(await pricesOf(app.app_id)).toEqual({
      all: [first, second, { ...second, version: 3, split: 60 }, fourth],
      current: 4,
    });
  });

  it('is none where nothing is paid', async () => {
    const free = await serving({ pricing_config: { tool_prices: { make: 20 }, monthly_price: 5 } });
    const nothing = await serving({
      pricing_model: 'per_action',
      pricing_config: { tool_prices: { make: 0 }, monthly_price: 5 },
    });
    const unset = await serving({
      pricing_model: 'subscription',
      pricing_config: { tool_prices: { make: 5 }, monthly_price: 0 },
    });
    const bare = await serving({ pricing_model: 'per_action' });
    const empty = await createDraftApp(ada, PER_CALL);
    for (const { app_id } of [free, nothing, unset, bare, empty])
      expect(await pricesOf(app_id)).toEqual({ all: [], current: null });
    const paid = await serving(PER_CALL);
    await update(paid, { pricing_model: 'free' });
    expect(await pricesOf(paid.app_id)).toMatchObject({ all: [{ version: 1 }], current: null });
    await update(paid, { pricing_model: 'per_action' });
    expect(await pricesOf(paid.app_id)).toMatchObject({ all: [{ version: 1 }, { version: 2 }], current: 2 });
  });

  it('is looked at again when the status changes', async () => {
    const { app_id } = await createDraftApp(ada);
    await storeDeployedVersion(gateway, app_id);
    await query(
      `UPDATE apps SET pricing_model = 'subscription', pricing_config = '{"monthly_price": 9}' WHERE app_id = $1`,
      [app_id],
    );
    expect(await pricesOf(app_id)).toMatchObject({ current: null });
    await move(app_id, 'active');
    expect(await pricesOf(app_id)).toMatchObject({ all: [{ monthly_price: 9, split: 95 }], current: 1 });
    await move(app_id, 'suspended');
    expect(await pricesOf(app_id)).toMatchObject({ all: [{ version: 1 }], current: 1 });
  });

  it('is never changed or removed, and outlives its app, whose id counts on', async () => {
    const app = await serving(PER_CALL);
    for (const sql of [
      "UPDATE app_prices SET function_prices = '{}'",
      'DELETE FROM app_prices',
      'TRUNCATE app_prices CASCADE',
    ]) {
      await expect(query(sql)).rejects.toThrow('rows of app_prices are never changed or removed');
    }
    expect(
      (await ada.client.request('DELETE', `/v1/developer/apps/${app.app_id}`, { confirm_name: app.app_id })).status,
    ).toBe(200);
    expect(await pricesOf(app.app_id)).toMatchObject({ all: [{ version: 1 }], current: undefined });
    await createDraftApp(ada, { app_id: app.app_id });
    await storeDeployedVersion(gateway, app.app_id, '1.0.0', { tools: [tool('make')] });
    await update(app, PER_CALL);
    expect(await pricesOf(app.app_id)).toMatchObject({ all: [{ version: 1 }, { version: 2 }], current: 2 });
  });

  it('is written once by many who change it at once', async () => {
    const app = await serving();
    const changes = Array.from({ length: 8 }, (_, at) => ({
      ...PER_CALL,
      pricing_config: { tool_prices: { make: 1 + (at % 2) } },
    }));
    await Promise.all(changes.map((change) => update(app, change)));
    const { all, current } = await pricesOf(app.app_id);
    expect(all.map(({ version }) => version)).toEqual(all.map((_price, at) => at + 1));
    expect(current).toBe(all.length);
    expect(all.at(-1)).toMatchObject({
      function_prices: (await query<AppResponse>('SELECT * FROM apps WHERE app_id = $1', [app.app_id]))[0]
        ?.pricing_config?.['tool_prices'],
    });
  });
});

describe('what is called', () => {
  it('costs what its app has a price for', async () => {
    const caller = await gateway.user();
    const perCall = await pricedApp(gateway, { perCall: { make: 20, constructor: 3 }, split: 80 });
    const monthly = await pricedApp(gateway, { monthly: 500 });
    const free = await putApp(gateway);
    for (const { app_id } of [perCall, monthly, free]) await installApp(gateway, app_id, caller.id);
    const prices = {
      version: 1,
      model: 'per_action',
      functionPrices: { make: 20, constructor: 3 },
      monthlyPrice: 0,
      split: 80,
    };
    expect(await targetOf(perCall.app_id, caller.id)).toMatchObject({
      prices,
      developer: { id: perCall.developer_id },
    });
    expect((await targetOf(monthly.app_id, caller.id)).prices).toEqual({
      version: 1,
      model: 'subscription',
      functionPrices: {},
      monthlyPrice: 500,
      split: 70,
      wasMonthly: false,
    });
    expect((await targetOf(free.app_id, caller.id)).prices).toBeNull();
    // The current price applies, not the former one.
    expect(await setPrices(gateway, perCall.app_id, { perCall: { make: 21 } })).toBe(2);
    expect((await targetOf(perCall.app_id, caller.id)).prices).toMatchObject({
      version: 2,
      functionPrices: { make: 21 },
      split: 80,
    });
    expect(await setPrices(gateway, perCall.app_id, {})).toBeNull();
    expect((await targetOf(perCall.app_id, caller.id)).prices).toBeNull();
  });

  it('costs something by other apps of its developer, too', async () => {
    const calling = await putApp(gateway);
    const called = await pricedApp(gateway, { perCall: { make: 20 } }, { developer_id: calling.developer_id });
    const target = await gateway.service.app
      .get(CallTargetsService)
      .getTargetOfSameDeveloper(calling.app_id, called.app_id);
    expect(target.prices).toMatchObject({ version: 1, functionPrices: { make: 20 } });
  });

  it('costs nothing of an app that the platform gives to everybody', async () => {
    const { app_id } = await pricedApp(gateway, { perCall: { make: 20 } }, { tools: [tool('make')] });
    await query('UPDATE apps SET system = true WHERE app_id = $1', [app_id]);
    expect((await targetOf(app_id, (await gateway.user()).id)).prices).toBeNull();
  });
});

it.each([
  ['make', 20],
  ['look', 0],
  ['constructor', 0],
  ['__proto__', 0],
])('a call of %s costs %i', (name, credits) => {
  expect(getFunctionPrice(JSON.parse('{"make": 20}') as Record<string, number>, name)).toBe(credits);
  expect(getCallPrice(null, name)).toBe(0);
});

it('an id that nothing was deployed under is taken over by another developer with its numbers going on', async () => {
  const app_id = newAppId();
  await createDraftApp(ada, { app_id, pricing_model: 'subscription', pricing_config: { monthly_price: 5 } });
  await ada.client.request('DELETE', `/v1/developer/apps/${app_id}`, { confirm_name: app_id });
  const bob = await newDeveloper(gateway, 'indie');
  await createDraftApp(bob, { app_id, pricing_model: 'subscription', pricing_config: { monthly_price: 5 } });
  expect(await pricesOf(app_id)).toMatchObject({ all: [{ split: 95 }, { version: 2, split: 80 }], current: 2 });
});
