import type { RegistryApp } from '@platform/contracts';
import { generateApiKey } from '@platform/guards';
import type { TestClient } from '@platform/testing';
import { TEST_SERVICE_TOKEN, TestService, TestProxy } from '@platform/testing';
import { UNKNOWN_KEYS } from './registry-credentials.service.js';
import { loadConfig } from '../config.js';
import { registry } from '../service.js';
import { backend, keyHolder, newApp, RegistryTest } from '../testing/registry.js';

let test: RegistryTest;
let service: TestClient;
beforeAll(async () => {
  test = await RegistryTest.start();
  service = backend(test);
  // Stops the clock for caches and rate limits, so that nothing expires or refills during slow
  // requests.
  jest.spyOn(performance, 'now').mockReturnValue(performance.now());
});
afterAll(() => test.stop());

const refusal = (status: number, code: string) => ({ status, body: { code } });
const ROUTES = [
  ['GET', '/v1/apps'],
  ['POST', '/v1/apps'],
  ['GET', '/v1/apps/x'],
  ['PUT', '/v1/apps/x'],
  ['PATCH', '/v1/apps/x'],
  ['DELETE', '/v1/apps/x'],
  ['GET', '/v1/apps/x/tools'],
  ['PUT', '/v1/apps/x/tools'],
  ['GET', '/v1/apps/x/settings'],
  ['PUT', '/v1/apps/x/settings'],
  ['GET', '/v1/catalog'],
  ['GET', '/v1/catalog/tools'],
  ['GET', '/v1/users/usr_1/extensions'],
  ['POST', '/v1/users/usr_1/extensions'],
  ['DELETE', '/v1/users/usr_1/extensions/x'],
  ['GET', '/v1/internal/installs'],
] as const;

describe('the credential of a caller', () => {
  it.each(ROUTES)('is needed: %s %s', async (method, path) => {
    const body = method === 'GET' || method === 'DELETE' ? undefined : {};
    const missing = await test.registry.client().request(method, path, body);
    expect(missing.status).toBe(401);
    expect(missing.headers.get('www-authenticate')).toBeTruthy();
    const wrong = test.registry.client().withHeaders({ 'X-Service-Token': `${TEST_SERVICE_TOKEN}x` });
    expect(await wrong.request(method, path, body)).toMatchObject(refusal(401, 'invalid_service_token'));
  });

  it('may be an API key in either header, whose user owns or administers', async () => {
    const { client, key, keyId, id } = await keyHolder(test);
    const app = await newApp(service, { owner_id: id });
    for (const caller of [client, test.registry.client().withToken(key)]) {
      expect((await caller.put(`/v1/apps/${app}`, { description: 'mine' })).status).toBe(200);
    }
    expect(test.registry.logLines.join()).toContain(`"caller":"user:${id}/key:${keyId}"`);
    expect(test.registry.logLines.join()).not.toContain(key);
  });

  it('is no access token and no key that nobody gave out', async () => {
    const signedIn = await test.gateway.login(await test.gateway.user());
    for (const [token, detail] of [
      [signedIn.access_token, expect.stringContaining('accepts API keys and service tokens, but no access tokens.')],
      ['cp_live_x', 'The API key is not valid, has expired or was deleted.'],
    ] as const) {
      const answer = await test.registry.client().withToken(token).get('/v1/apps');
      expect(answer).toMatchObject(refusal(401, 'invalid_api_key'));
      expect(answer.body).toMatchObject({ detail });
    }
  });

  it('is one: nobody acts for a user here', async () => {
    const { id, client } = await keyHolder(test);
    expect(await service.withHeaders({ 'X-Acting-User': id }).get('/v1/apps')).toMatchObject(
      refusal(400, 'acting_user_not_taken'),
    );
    expect(await client.withHeaders({ Authorization: 'Bearer x' }).get('/v1/apps')).toMatchObject(
      refusal(400, 'two_credentials'),
    );
  });

  it('makes an administrator of the platform only as a key that was given everything', async () => {
    const app = await newApp(service, { status: 'draft' });
    const [whole, narrow] = [
      await keyHolder(test, { role: 'admin' }),
      await keyHolder(test, { role: 'admin' }, 'apps:*'),
    ];
    expect((await whole.client.get<RegistryApp>(`/v1/apps/${app}`)).status).toBe(200);
    expect((await narrow.client.get<RegistryApp>(`/v1/apps/${app}`)).status).toBe(404);
  });
});

describe('the gateway', () => {
  const asked = () =>
    test.gateway.service.logLines.filter((line) => line.includes('/v1/internal/api-key-owners')).length;
  const LIVE = generateApiKey().key;

  it.each([
    '',
    'x',
    'cp_live_',
    'cp_live_x',
    LIVE.slice(0, -1),
    `${LIVE}x`,
    `${LIVE.slice(0, -1)}${LIVE.endsWith('A') ? 'B' : 'A'}`,
    LIVE.toLowerCase(),
    LIVE.replace('live', 'test'),
    `${LIVE},${LIVE}`,
    'x'.repeat(8_000),
  ])('is not asked about what cannot be a key: %.40j', async (key) => {
    const before = asked();
    for (const client of [
      test.registry.client().withHeaders({ 'x-api-key': key }),
      test.registry.client().withToken(key),
    ]) {
      expect((await client.get('/v1/apps')).status).toBe(401);
    }
    expect(asked()).toBe(before);
  });

  it('is not asked about an access token', async () => {
    const { access_token } = await test.gateway.login(await test.gateway.user());
    const before = asked();
    expect(await test.registry.client().withToken(access_token).get('/v1/apps')).toMatchObject(
      refusal(401, 'invalid_api_key'),
    );
    expect(asked()).toBe(before);
  });

  it('is asked once about a key that it refused', async () => {
    const client = test.registry.client().withHeaders({ 'x-api-key': generateApiKey().key });
    const before = asked();
    const answers = await Promise.all(Array.from({ length: 50 }, () => client.get('/v1/apps')));
    for (const answer of [...answers, await client.get('/v1/apps')])
      expect(answer).toMatchObject(refusal(401, 'invalid_api_key'));
    expect(asked()).toBe(before + 1);
  });

  it('is asked by one address about so many unknown keys only, one after the other and at once, while others go on', async () => {
    const stranger = test.registry.client();
    const attempt = () => stranger.withHeaders({ 'x-api-key': generateApiKey().key }).get('/v1/apps');
    const before = asked();
    const answers = await Promise.all(Array.from({ length: 2 * UNKNOWN_KEYS.quota }, attempt));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(UNKNOWN_KEYS.quota);
    const refused = await attempt();
    expect(refused).toMatchObject(refusal(429, 'rate_limited'));
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(asked()).toBe(before + UNKNOWN_KEYS.quota);
    const { client } = await keyHolder(test);
    expect((await client.get('/v1/apps')).status).toBe(200);
  });

  it('is asked about good keys as often as it takes', async () => {
    const client = test.registry.client();
    for (let at = 0; at < UNKNOWN_KEYS.quota + 2; at++) {
      const { key } = await keyHolder(test);
      expect((await client.withHeaders({ 'x-api-key': key }).get('/v1/apps')).status).toBe(200);
    }
  });
});

describe('an API key', () => {
  it('costs the gateway one question in 5 s, however many requests come, and is asked for under the id of the request', async () => {
    const { client } = await keyHolder(test);
    const asked = () =>
      test.gateway.service.logLines.filter((line) => line.includes('/v1/internal/api-key-owners')).length;
    const before = asked();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => client.get('/v1/apps', { headers: { 'X-Request-Id': 'of-the-key' } })),
    );
    for (const { status } of answers) expect(status).toBe(200);
    await client.get('/v1/apps');
    expect(asked()).toBe(before + 1);
    expect(test.gateway.service.logLines.join()).toContain('"request_id":"of-the-key"');
  });

  it('is answered with 503 while the gateway cannot be asked, and a service token still works', async () => {
    const wire = await TestProxy.start(test.gateway.service.url);
    const apart = await TestService.start((env) => registry(loadConfig(env)), {
      sharedWith: test.registry,
      env: { AUTH_GATEWAY_URL: wire.url },
    });
    const { key } = await keyHolder(test);
    const client = apart.client().withHeaders({ 'x-api-key': key });
    await wire.cut();
    const answer = await client.get('/v1/apps');
    expect(answer).toMatchObject(refusal(503, 'unavailable'));
    expect(answer.headers.get('retry-after')).toBe('1');
    expect((await apart.client().withHeaders({ 'X-Service-Token': TEST_SERVICE_TOKEN }).get('/v1/apps')).status).toBe(
      200,
    );
    await wire.restore();
    expect((await client.get('/v1/apps')).status).toBe(200);
    await apart.stop();
    await wire.cut();
  });
});
