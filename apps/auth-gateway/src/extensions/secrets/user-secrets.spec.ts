import type { SecretValue, UserSecret } from '@platform/contracts';
import type { TestClient } from '@platform/testing';
import { createApp } from '../../testing/apps.js';
import { auditEntriesOf } from '../../testing/developers.js';
import { GatewayTest, type TestUser } from '../../testing/gateway-test.js';
import { declaredSecret, FakeHostApps } from '../../testing/fake-host-apps.js';
import { FakeHost } from '../../testing/fake-host.js';
import { storedRows } from '../../testing/stored-rows.js';

const VALUE = 'the-value-that-nobody-sees';

let wire: FakeHost;
let host: FakeHostApps;
let gateway: GatewayTest;
let user: TestUser;
let client: TestClient;
let appId: string;
beforeAll(async () => {
  wire = await FakeHost.start();
  gateway = await GatewayTest.start({ EXT_WEBHOOK_HOST_URL: wire.url });
  user = await gateway.user();
  client = await gateway.signIn(user);
});
afterAll(async () => {
  await gateway.stop();
  await wire.stop();
});
beforeEach(async () => {
  host = new FakeHostApps();
  host.secrets = [
    declaredSecret('token'),
    declaredSecret('cursor', { write_mode: 'extension' }),
    declaredSecret('of_app', { scope: 'app', write_mode: 'both' }),
  ];
  wire.answers = (request) => host.answer(request);
  wire.requests.length = 0;
  appId = (await createApp(gateway)).app_id;
  await install(user);
});

const install = ({ id }: TestUser) =>
  gateway.service.query(
    "INSERT INTO installs (user_id, app_id, tenant_id, revision, installed_at) VALUES ($1, $2, 'default', 1, now())",
    [id, appId],
  );
const path = (rest = '', id = appId) => `/v1/secrets/${id}${rest}`;
const refusal = (status: number, error_code: string) => ({
  status,
  body: { detail: { error_code, message: expect.any(String) } },
});
const NOT_DECLARED = refusal(404, 'SECRET_NOT_DECLARED');

it('a user’s secret is set, told and deleted', async () => {
  expect(await client.get(path('/token'))).toMatchObject(refusal(404, 'SECRET_NOT_SET'));
  expect(await client.put(path('/token'), { value: VALUE })).toMatchObject({
    status: 200,
    body: { name: 'token', is_set: true },
  });
  expect(host.values).toEqual(new Map([[`${appId}/${user.id}/token`, VALUE]]));
  const read = await client.get<SecretValue>(path('/token'));
  expect(read.body).toEqual({ value: VALUE });
  expect(read.headers.get('Cache-Control')).toContain('no-store');
  const token = {
    name: 'token',
    description: 'The token.',
    is_set: true,
    write_mode: 'user',
    updated_at: null,
    last_accessed_at: null,
  };
  expect((await client.get(path('/token/meta'))).body).toEqual(token);
  const listed = await client.get<UserSecret[]>(path());
  expect(listed.body).toEqual([
    token,
    { ...token, name: 'cursor', description: 'The cursor.', is_set: false, write_mode: 'extension' },
  ]);
  expect((await client.delete(path('/token'))).body).toEqual({ was_set: true });
  expect((await client.delete(path('/token'))).body).toEqual({ was_set: false });
  const history = await auditEntriesOf(gateway, appId);
  expect(history.map(({ action, metadata }) => [action, metadata])).toEqual([
    ['user_secret.set', { name: 'token' }],
    ['user_secret.deleted', { name: 'token' }],
  ]);
  expect(JSON.stringify([gateway.service.logLines, await storedRows(gateway.service)])).not.toContain(VALUE);
});

it('a backend does the same for the user whom it names, and for nobody without one', async () => {
  expect((await gateway.actingFor(user.id).put(path('/token'), { value: VALUE })).status).toBe(200);
  expect((await client.get(path('/token'))).body).toEqual({ value: VALUE });
  expect((await gateway.backend().get(path('/token'))).status).toBe(422);
  expect((await gateway.client().get(path('/token'))).status).toBe(401);
});

it('each user has their own', async () => {
  const other = await gateway.user();
  await install(other);
  await client.put(path('/token'), { value: VALUE });
  expect(await gateway.actingFor(other.id).get(path('/token'))).toMatchObject(refusal(404, 'SECRET_NOT_SET'));
});

it('what only the extension sets is told, and neither set nor deleted', async () => {
  host.values.set(`${appId}/${user.id}/cursor`, '42');
  expect((await client.get(path('/cursor'))).body).toEqual({ value: '42' });
  expect(await client.put(path('/cursor'), { value: '43' })).toMatchObject(refusal(403, 'SECRET_READ_ONLY'));
  expect(await client.delete(path('/cursor'))).toMatchObject(refusal(403, 'SECRET_READ_ONLY'));
  expect(host.values.get(`${appId}/${user.id}/cursor`)).toBe('42');
});

it.each(['unknown', 'of_app'])('%s, which is none of the user’s, is 404', async (name) => {
  host.values.set(`${appId}//of_app`, VALUE);
  expect(await client.get(path(`/${name}`))).toMatchObject(NOT_DECLARED);
  expect(await client.get(path(`/${name}/meta`))).toMatchObject(NOT_DECLARED);
  expect(await client.put(path(`/${name}`), { value: 'x' })).toMatchObject(NOT_DECLARED);
  expect(await client.delete(path(`/${name}`))).toMatchObject(NOT_DECLARED);
});

it('what the user does not have, or has switched off, is not reached', async () => {
  const stranger = gateway.actingFor((await gateway.user()).id);
  expect(await stranger.put(path('/token'), { value: VALUE })).toMatchObject({
    status: 404,
    body: { code: 'extension.not_found' },
  });
  expect((await client.get(path('/token', 'no-such-app'))).status).toBe(404);
  await client.post('/v1/me/extensions/disable', { app_id: appId });
  expect(await client.get(path())).toMatchObject({ status: 403, body: { code: 'extension.disabled' } });
  expect(wire.requests).toEqual([]);
});

it('the platform’s own extensions have none', async () => {
  expect((await client.get(path('', 'developer'))).body).toEqual([]);
  expect(await client.get(path('/token', 'developer'))).toMatchObject(NOT_DECLARED);
  expect(wire.requests).toEqual([]);
});

it.each<[string, string, object, number]>([
  ['no value', 'token', {}, 422],
  ['an empty one', 'token', { value: '' }, 422],
  ['a name that is none', 'TOKEN', { value: 'x' }, 422],
  ['a value that the app does not take', 'token', { value: 'too long' }, 400],
])('refuses %s', async (_what, name, body, status) => {
  expect((await client.put(path(`/${name}`), body)).status).toBe(status);
  expect([host.values.size, await auditEntriesOf(gateway, appId)]).toEqual([0, []]);
});

it('answers 503 while the host is away', async () => {
  wire.answers = () => ({ status: 503, body: { detail: 'Secrets cannot be read.', code: 'secrets.unavailable' } });
  expect(await client.put(path('/token'), { value: VALUE })).toMatchObject({
    status: 503,
    body: { code: 'extension_host_unavailable' },
  });
});
