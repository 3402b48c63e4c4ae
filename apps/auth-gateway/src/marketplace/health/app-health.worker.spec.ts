import type { AppHealthResponse } from '@platform/contracts';
import { EventStreamClient, HeldLock, TEST_SERVICE_TOKEN } from '@platform/testing';
import { createApp, createDeveloper, newAppId, tool } from '../../testing/apps.js';
import { callsOfUsers, recordCalls } from '../../testing/recorded-calls.js';
import { newDeveloper } from '../../testing/developers.js';
import { GatewayTest, type TestUser } from '../../testing/gateway-test.js';
import { createTenant } from '../../testing/tenants.js';
import { AppHealthWorker } from './app-health.worker.js';

let gateway: GatewayTest;
const open = new Set<EventStreamClient>();
beforeAll(async () => (gateway = await GatewayTest.start()));
afterEach(() => {
  for (const stream of open) stream.close();
  open.clear();
});
afterAll(() => gateway.stop());

const query = <Row>(sql: string, values: unknown[] = []) => gateway.service.query<Row>(sql, values);
const sweepNow = ({ app } = gateway.service): Promise<void> => app.get(AppHealthWorker).checkApps();
/** Ages the states so that each change is reported. */
async function sweep(service = gateway.service): Promise<void> {
  await query("UPDATE app_health_states SET changed_at = changed_at - interval '10 minutes'");
  await sweepNow(service);
}

const newApp = async (changes: object = {}): Promise<string> =>
  (await createApp(gateway, { tools: [tool('search')], document: {}, ...changes })).app_id;
/** An app with a stored, healthy state. */
async function knownApp(changes: object = {}): Promise<string> {
  const appId = await newApp(changes);
  await sweep();
  return appId;
}

const calls = (appId: string, made: ReturnType<typeof callsOfUsers>, ago?: string) =>
  recordCalls(gateway, appId, made, ago);
/** Moves the calls of the app an hour into the past. */
const anHourGoesBy = (appId: string) =>
  query("UPDATE actions SET created_at = created_at - interval '1 hour' WHERE app_id = $1", [appId]);

/** Reported changes of an app's health. */
async function told(appId: string): Promise<[before: string, now: string][]> {
  const events = await query<{ previous_status: string; status: string }>(
    `SELECT payload ->> 'previous_status' AS previous_status, payload ->> 'status' AS status FROM platform_events
     WHERE type = 'app.health_changed' AND payload ->> 'app_id' = $1 ORDER BY insert_number`,
    [appId],
  );
  return events.map(({ previous_status, status }) => [previous_status, status]);
}

async function follow(headers: Record<string, string>, search = ''): Promise<EventStreamClient> {
  const stream = await EventStreamClient.open(
    `${gateway.service.url}/v1/events/stream?source_types=app${search}`,
    headers,
  );
  open.add(stream);
  return stream.waitUntilLive();
}
const followAs = async (user: TestUser) =>
  follow({ Authorization: `Bearer ${(await gateway.login(user)).access_token}` });
const backendOf = (tenantId: string) => follow({ 'X-Service-Token': TEST_SERVICE_TOKEN }, `&tenant_id=${tenantId}`);
const changed = (app_id: string, previous_status: string, status: string) => ({
  type: 'app.health_changed',
  payload: { app_id, previous_status, status },
  ts: expect.any(String),
});

it('a developer hears when an app of theirs does worse, as the route has it, and when it does well again', async () => {
  const { user } = await newDeveloper(gateway);
  const appId = await knownApp({ developer_id: user.id });
  const stream = await followAs(user);
  await calls(appId, callsOfUsers(5, 'TIMEOUT'));
  await gateway.runScheduledJob('app-health');
  expect(await stream.waitForEvents(1)).toEqual([changed(appId, 'healthy', 'unhealthy')]);
  expect((await gateway.client().get<AppHealthResponse>(`/v1/ext/${appId}/health`)).body).toMatchObject({
    status: 'unhealthy',
  });
  await calls(appId, callsOfUsers(4, null), '30 seconds');
  await sweep();
  await calls(appId, callsOfUsers(5, null), '20 seconds');
  await sweep();
  expect(await stream.waitForEvents(3)).toEqual([
    changed(appId, 'healthy', 'unhealthy'),
    changed(appId, 'unhealthy', 'degraded'),
    changed(appId, 'degraded', 'healthy'),
  ]);
});

it('nobody else hears of it: no other developer, whoever calls the app, and no other tenant', async () => {
  const { id: tenant_id } = await createTenant(gateway.backend());
  const [{ user: ada }, { user: bob }] = [
    await newDeveloper(gateway),
    await newDeveloper(gateway, 'partner', { tenant_id }),
  ];
  const [one, other] = [await newApp({ developer_id: ada.id }), await newApp({ developer_id: bob.id })];
  const { user: caller } = await newDeveloper(gateway);
  const ofCaller = await knownApp({ developer_id: caller.id });
  const streams = [...(await Promise.all([ada, bob, caller].map(followAs))), await backendOf(tenant_id)];
  for (const appId of [one, other]) await calls(appId, [[caller.id, 'TIMEOUT'], ...callsOfUsers(5, 'TIMEOUT')]);
  await sweep();
  for (const appId of [one, other]) await calls(appId, [[caller.id, null], ...callsOfUsers(5, null)], '30 seconds');
  await calls(ofCaller, callsOfUsers(5, 'TIMEOUT'));
  await sweep();
  const eventsOf = (appId: string) => [changed(appId, 'healthy', 'unhealthy'), changed(appId, 'unhealthy', 'healthy')];
  const expected = [eventsOf(one), eventsOf(other), [changed(ofCaller, 'healthy', 'unhealthy')], eventsOf(other)];
  for (const [at, stream] of streams.entries()) await stream.waitForEvents(expected[at]?.length ?? 0);
  expect(streams.map(({ events }) => events)).toEqual(expected);
});

it('what has not changed is not told again', async () => {
  const appId = await knownApp();
  await sweep();
  await calls(appId, callsOfUsers(6, 'TIMEOUT'));
  await sweep();
  await calls(appId, callsOfUsers(2, 'INTERNAL', 'q'));
  await sweep();
  expect(await told(appId)).toEqual([['healthy', 'unhealthy']]);
});

it('an app at which nobody has looked before is told of where it is unhealthy', async () => {
  const [unhealthy, degraded] = [await newApp(), await newApp()];
  await calls(unhealthy, callsOfUsers(5, 'TIMEOUT'));
  await calls(degraded, [...callsOfUsers(8, null), ...callsOfUsers(2, 'TIMEOUT', 'x')]);
  await sweep();
  expect(await told(unhealthy)).toEqual([['unknown', 'unhealthy']]);
  expect(await told(degraded)).toEqual([]);
  await calls(degraded, callsOfUsers(2, null, 'x'), '30 seconds');
  await sweep();
  expect(await told(degraded)).toEqual([['degraded', 'healthy']]);
});

it('an app that goes up and down is told of at once when it is unhealthy, and else once in 10 minutes', async () => {
  const appId = await knownApp();
  for (const [at, code] of ['TIMEOUT', null, 'TIMEOUT', null].entries()) {
    await calls(appId, callsOfUsers(5, code), `${40 - at} seconds`);
    await sweepNow();
  }
  expect(await told(appId)).toEqual([['healthy', 'unhealthy']]);
  await sweep();
  await calls(appId, callsOfUsers(5, 'TIMEOUT'), '20 seconds');
  await sweepNow();
  expect(await told(appId)).toEqual([
    ['healthy', 'unhealthy'],
    ['unhealthy', 'healthy'],
    ['healthy', 'unhealthy'],
  ]);
});

it('who calls very often hides nothing of what others saw', async () => {
  const appId = await knownApp();
  await calls(appId, callsOfUsers(50, null), '20 minutes');
  await calls(appId, Array.from({ length: 500 }, () => callsOfUsers(5, 'TIMEOUT', 'q')).flat());
  await sweep();
  expect(await told(appId)).toEqual([]);
});

it('calls of fewer than five say nothing against an app', async () => {
  const appId = await knownApp();
  await calls(appId, Array.from({ length: 20 }, () => callsOfUsers(4, 'TIMEOUT')).flat());
  await sweep();
  expect(await told(appId)).toEqual([]);
  await calls(appId, callsOfUsers(1, 'TIMEOUT', 'fifth'));
  await sweep();
  expect(await told(appId)).toEqual([['healthy', 'unhealthy']]);
});

it('an app that nobody calls any more is healthy again, but not while the few who still call it are failed', async () => {
  const appId = await knownApp();
  await calls(appId, callsOfUsers(5, 'TIMEOUT'));
  await sweep();
  await anHourGoesBy(appId);
  await calls(appId, callsOfUsers(4, 'TIMEOUT'));
  await sweep();
  expect(await told(appId)).toEqual([['healthy', 'unhealthy']]);
  await anHourGoesBy(appId);
  await sweep();
  expect(await told(appId)).toEqual([
    ['healthy', 'unhealthy'],
    ['unhealthy', 'healthy'],
  ]);
});

it('what is not in the marketplace, or does not run here, is not looked at', async () => {
  const hidden = [
    await newApp({ status: 'draft' }),
    await newApp({ status: 'suspended' }),
    await newApp({ document: null }),
  ];
  for (const appId of hidden) await calls(appId, callsOfUsers(5, 'TIMEOUT'));
  await sweep();
  for (const appId of hidden) expect(await told(appId)).toEqual([]);
});

it('two processes that find it at once tell it once', async () => {
  const beside = await gateway.startSecondProcess();
  const [known, unknown] = [await knownApp(), await newApp()];
  for (const appId of [known, unknown]) await calls(appId, callsOfUsers(5, 'TIMEOUT'));
  const lock = await HeldLock.acquire(gateway.service, 'SELECT FROM apps WHERE app_id = ANY ($1) FOR UPDATE', [
    [known, unknown],
  ]);
  const sweeps = [sweep(), sweep(beside)];
  await lock.waitForBlocked(2);
  await lock.release();
  await Promise.all(sweeps);
  await beside.stop();
  expect(await told(known)).toEqual([['healthy', 'unhealthy']]);
  expect(await told(unknown)).toEqual([['unknown', 'unhealthy']]);
});

it('a change whose event cannot be written is told by the next look', async () => {
  const appId = await knownApp();
  await calls(appId, callsOfUsers(5, 'TIMEOUT'));
  await query("ALTER TABLE platform_events ADD CONSTRAINT no_health CHECK (type <> 'app.health_changed') NOT VALID");
  await expect(sweep()).rejects.toThrow('no_health');
  await query('ALTER TABLE platform_events DROP CONSTRAINT no_health');
  await sweep();
  expect(await told(appId)).toEqual([['healthy', 'unhealthy']]);
});

it('of more apps than are looked at together the last is, too', async () => {
  const developerId = await createDeveloper(gateway);
  const prefix = `z${newAppId()}`;
  const made = `SELECT $1::text || lpad(n::text, 3, '0') AS app_id FROM generate_series(1, 230) AS n`;
  await query(
    `INSERT INTO apps (app_id, developer_id, display_name) SELECT app_id, $2, 'One of many' FROM (${made}) AS m`,
    [prefix, developerId],
  );
  await query(
    `INSERT INTO app_versions (app_id, version, sha256, document, manifest, hosts, capabilities, registry_held_at)
     SELECT app_id, '1.0.0', sha256('many'), '{}', '{"version": "1.0.0", "tools": [], "skeleton_sections": []}', '{}', '{}', now() FROM (${made}) AS m`,
    [prefix],
  );
  await query("UPDATE apps SET served_version = '1.0.0', status = 'active' WHERE starts_with(app_id, $1)", [prefix]);
  await calls(`${prefix}230`, callsOfUsers(5, 'TIMEOUT'));
  await sweep();
  expect(await told(`${prefix}230`)).toEqual([['unknown', 'unhealthy']]);
});

it('what is known of an app goes with it', async () => {
  const { user, client } = await newDeveloper(gateway);
  const appId = await knownApp({ developer_id: user.id });
  const known = () => query('SELECT FROM app_health_states WHERE app_id = $1', [appId]);
  expect(await known()).toHaveLength(1);
  await query("UPDATE apps SET status = 'suspended' WHERE app_id = $1", [appId]);
  expect((await client.request('DELETE', `/v1/developer/apps/${appId}`, { confirm_name: appId })).status).toBe(200);
  expect(await known()).toEqual([]);
});
