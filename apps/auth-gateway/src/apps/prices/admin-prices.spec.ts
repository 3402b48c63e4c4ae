import type { PricesSyncedResponse } from '@platform/contracts';
import type { TestClient } from '@platform/testing';
import { createApp, pricedApp } from '../../testing/apps.js';
import { auditEntriesOf, newDeveloper } from '../../testing/developers.js';
import { GatewayTest } from '../../testing/gateway-test.js';
import { createTenant } from '../../testing/tenants.js';

let gateway: GatewayTest;
let admin: TestClient;
beforeAll(async () => {
  gateway = await GatewayTest.start();
  admin = await gateway.signIn(await gateway.user({ role: 'admin' }));
});
afterAll(() => gateway.stop());

const APPS = '/v1/admin/apps';
const syncAll = (by = admin) => by.post<PricesSyncedResponse>(`${APPS}/sync-pricing`, {});
const sync = (appId: string, by = admin) => by.post<PricesSyncedResponse>(`${APPS}/${appId}/sync-pricing`, {});

/** Changes prices without a new price version, as by hand in the database. */
const change = (appIds: readonly string[], monthly: number) =>
  gateway.service.query("UPDATE apps SET pricing_model = 'subscription', pricing_config = $2 WHERE app_id = ANY ($1)", [
    appIds,
    { monthly_price: monthly },
  ]);
async function monthlyPrices(appIds: readonly string[]) {
  const rows = await gateway.service.query<{ app_id: string; price: number | null; version: number | null }>(
    `SELECT a.app_id, p.monthly_price::int AS price, p.version FROM apps a
     LEFT JOIN app_prices p ON p.app_id = a.app_id AND p.version = a.price_version WHERE a.app_id = ANY ($1)`,
    [appIds],
  );
  return appIds.map(
    (id) => rows.filter(({ app_id }) => app_id === id).map(({ price, version }) => [price, version])[0],
  );
}

it('brings the price of an app in line with its settings, once, and tells the audit log', async () => {
  const { app_id } = await pricedApp(gateway, { monthly: 500 });
  expect(await sync(app_id)).toMatchObject({ status: 200, body: { synced: 0 } });
  await change([app_id], 600);
  expect((await Promise.all([sync(app_id), sync(app_id), syncAll()])).map(({ body }) => body.synced).sort()).toEqual([
    0, 0, 1,
  ]);
  expect(await monthlyPrices([app_id])).toEqual([[600, 2]]);
  await change([app_id], 0);
  expect((await sync(app_id, gateway.backend())).body).toEqual({ synced: 1 });
  expect(await monthlyPrices([app_id])).toEqual([[null, null]]);
  expect(await auditEntriesOf(gateway, app_id)).toMatchObject([
    { action: 'app.prices_synced', metadata: { price_version: 2 } },
    { action: 'app.prices_synced', actor_id: 'test', metadata: { price_version: null } },
  ]);
});

it('brings those of all apps in line, many or none', async () => {
  const { user } = await newDeveloper(gateway);
  await gateway.service.query(
    "INSERT INTO apps (app_id, developer_id, display_name) SELECT 'many-' || n, $1, 'Many' FROM generate_series(1, 1100) AS n",
    [user.id],
  );
  const ids = Array.from({ length: 1100 }, (_, at) => `many-${at + 1}`);
  expect((await syncAll()).body).toEqual({ synced: 0 });
  await change(ids, 5);
  const both = await Promise.all([syncAll(), syncAll(gateway.backend())]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  expect(both.reduce((sum, { body }) => sum + body.synced, 0)).toBe(1100);
  expect(new Set((await monthlyPrices(ids)).map(String))).toEqual(new Set(['5,1']));
  expect((await syncAll()).body).toEqual({ synced: 0 });
});

it('leaves alone what is a part of the platform, and knows what there is not', async () => {
  const system = await createApp(gateway, { system: true });
  await change([system.app_id], 5);
  expect(await sync(system.app_id)).toMatchObject({ status: 403, body: { code: 'app.system' } });
  expect((await syncAll()).body).toEqual({ synced: 0 });
  for (const id of ['unknown', '__proto__', 'a'.repeat(300)]) {
    expect(await sync(id)).toMatchObject({ status: 404, body: { code: 'app.not_found' } });
  }
});

it('is for those who run the platform alone', async () => {
  const { app_id } = await createApp(gateway);
  const { id: tenant_id } = await createTenant(gateway.backend());
  const [user, ofTenant] = [await gateway.user(), await gateway.user({ tenant_id, role: 'admin' })];
  for (const by of [
    await gateway.signIn(user),
    await gateway.signIn(ofTenant),
    gateway.actingFor(user.id),
    gateway.actingFor(ofTenant.id),
  ]) {
    expect([(await syncAll(by)).status, (await sync(app_id, by)).status]).toEqual([403, 403]);
  }
  expect([(await syncAll(gateway.client())).status, (await sync(app_id, gateway.client())).status]).toEqual([401, 401]);
});
