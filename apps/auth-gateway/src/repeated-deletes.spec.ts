import type { OpenAPIObject } from '@nestjs/swagger';
import type { TestClient } from '@platform/testing';
import { FakeStripe, TEST_SERVICE_TOKEN } from '@platform/testing';
import { newId } from '@platform/platform';
import { readFileSync } from 'node:fs';
import { createRegisteredApp } from './testing/registered-apps.js';
import { declaredSecret, FakeHostApps } from './testing/fake-host-apps.js';
import { FakeHost } from './testing/fake-host.js';
import { RegistryTest } from './testing/registry-test.js';
import { createTenant } from './testing/tenants.js';

interface Target {
  path: string;
  client: TestClient;
  body?: object;
}

/** Answer to a second DELETE: 404 if reading gives 404, otherwise the first answer. */
type Second = 'gone' | 'as the first';

let test: RegistryTest;
let wire: FakeHost;
let stripe: FakeStripe;
let admin: TestClient;
let registry: TestClient;
beforeAll(async () => {
  wire = await FakeHost.start();
  stripe = await FakeStripe.start();
  test = await RegistryTest.start({ EXT_WEBHOOK_HOST_URL: wire.url, STRIPE_API_URL: stripe.url });
  const host = new FakeHostApps();
  host.secrets = [declaredSecret('token'), declaredSecret('of_app', { scope: 'app', write_mode: 'both' })];
  wire.answers = (request) => host.answer(request);
  admin = await test.gateway.signIn(await test.gateway.user({ role: 'admin' }));
  registry = test.registry.client().withHeaders({ 'X-Service-Token': TEST_SERVICE_TOKEN });
});
afterAll(async () => {
  await test.stop();
  await wire.stop();
  await stripe.stop();
});

async function made<Body>(client: TestClient, path: string, body: object): Promise<Body> {
  const answer = await client.post<Body>(path, body);
  if (answer.status >= 300) throw new Error(`POST ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

async function user(): Promise<{ id: string; client: TestClient }> {
  const one = await test.gateway.user();
  return { id: one.id, client: await test.gateway.signIn(one) };
}

/** An app, and a user with this app installed. */
async function installed(): Promise<{ appId: string; id: string; client: TestClient }> {
  const { id, client } = await user();
  const { app_id: appId } = await createRegisteredApp(test);
  await made(client, `/v1/marketplace/apps/${appId}/install`, {});
  return { appId, id, client };
}

/** A draft and its developer. */
async function draft(): Promise<{ appId: string; client: TestClient }> {
  const { client } = await user();
  const appId = newId('app').replace('_', '-');
  await made(client, '/v1/developer/register', { display_name: 'Ada' });
  await made(client, '/v1/developer/apps', {
    app_id: appId,
    display_name: 'Notes',
    git_url: 'https://git.example.com/notes',
  });
  return { appId, client };
}

const GATEWAY: Record<string, [Second, () => Promise<Target>]> = {
  '/v1/billing/payment-methods/{pm_id}': [
    'gone',
    async () => {
      const { id, client } = await user();
      const card = newId('pm');
      await test.gateway.service.query(
        `INSERT INTO payment_methods (id, tenant_id, user_id, is_live, type, brand, last4, exp_month, exp_year)
         VALUES ($1, 'default', $2, false, 'card', 'visa', '4242', 12, 2034)`,
        [card, id],
      );
      return { client, path: `/v1/billing/payment-methods/${card}` };
    },
  ],
  '/v1/keys/{key_id}': [
    'gone',
    async () => {
      const { client } = await user();
      return { client, path: `/v1/keys/${(await made<{ id: string }>(client, '/v1/keys', { name: 'ci' })).id}` };
    },
  ],
  '/v1/roles/{role_id}': [
    'gone',
    async () => ({
      client: admin,
      path: `/v1/roles/${(await made<{ id: string }>(admin, '/v1/roles', { name: newId('role') })).id}`,
    }),
  ],
  '/v1/scopes/{scope_id}': [
    'gone',
    async () => {
      const { id } = await made<{ id: number }>(admin, '/v1/scopes', { resource: newId('scope'), action: 'read' });
      return { client: admin, path: `/v1/scopes/${id}` };
    },
  ],
  '/v1/webhook-endpoints/{endpoint_id}': [
    'gone',
    async () => {
      const endpoint = { url: 'https://hooks.example.com/', event_types: ['*'] };
      return {
        client: admin,
        path: `/v1/webhook-endpoints/${(await made<{ id: string }>(admin, '/v1/webhook-endpoints', endpoint)).id}`,
      };
    },
  ],
  '/v1/users/{user_id}': ['as the first', async () => ({ client: admin, path: `/v1/users/${(await user()).id}` })],
  '/v1/users/{user_id}?permanent=true': [
    'gone',
    async () => ({ client: admin, path: `/v1/users/${(await user()).id}?permanent=true` }),
  ],
  '/v1/agencies/{agency_id}/theme': [
    'as the first',
    async () => {
      const agency_id = newId('agency');
      await made(admin, '/v1/agencies', { agency_id, display_name: 'Acme' });
      return { client: admin, path: `/v1/agencies/${agency_id}/theme` };
    },
  ],
  '/v1/tenants/{tenant_id}': [
    'as the first',
    async () => {
      const client = test.gateway.backend();
      return { client, path: `/v1/tenants/${(await createTenant(client)).id}` };
    },
  ],
  '/v1/me/extensions/disable/{app_id}': [
    'as the first',
    async () => {
      const { appId, client } = await installed();
      await made(client, '/v1/me/extensions/disable', { app_id: appId });
      return { client, path: `/v1/me/extensions/disable/${appId}` };
    },
  ],
  '/v1/users/{user_id}/extensions/disable/{app_id}': [
    'as the first',
    async () => {
      const { appId, id } = await installed();
      return { client: admin, path: `/v1/users/${id}/extensions/disable/${appId}` };
    },
  ],
  '/v1/automations/{rule_id}': [
    'gone',
    async () => {
      const { client } = await user();
      const { id } = await made<{ id: number }>(client, '/v1/automations', {
        prompt: 'every day at 09:00: message "Good morning"',
      });
      return { client, path: `/v1/automations/${id}` };
    },
  ],
  '/v1/secrets/{app_id}/{name}': [
    'as the first',
    async () => {
      const { appId, client } = await installed();
      await client.put(`/v1/secrets/${appId}/token`, { value: 'x' });
      return { client, path: `/v1/secrets/${appId}/token` };
    },
  ],
  '/v1/admin/apps/{app_id}': [
    'gone',
    async () => {
      const { appId } = await draft();
      return { client: test.gateway.backend(), path: `/v1/admin/apps/${appId}`, body: { confirm_name: appId } };
    },
  ],
  '/v1/developer/apps/{app_id}': [
    'gone',
    async () => {
      const { appId, client } = await draft();
      return { client, path: `/v1/developer/apps/${appId}`, body: { confirm_name: appId } };
    },
  ],
  '/v1/developer/apps/{app_id}/secrets/{name}': [
    'as the first',
    async () => {
      const { appId, client } = await draft();
      return { client, path: `/v1/developer/apps/${appId}/secrets/of_app` };
    },
  ],
  '/v1/marketplace/apps/{app_id}/install': [
    'as the first',
    async () => {
      const { appId, client } = await installed();
      return { client, path: `/v1/marketplace/apps/${appId}/install` };
    },
  ],
  '/v1/marketplace/reviews/{review_id}': [
    'gone',
    async () => {
      const { appId, client } = await installed();
      const review = { rating: 5, body: 'Saves me an hour every Monday.' };
      const { id } = await made<{ id: string }>(client, `/v1/marketplace/apps/${appId}/reviews`, review);
      return { client, path: `/v1/marketplace/reviews/${id}` };
    },
  ],
};

const REGISTRY: typeof GATEWAY = {
  '/v1/apps/{app_id}': [
    'gone',
    async () => ({ client: registry, path: `/v1/apps/${(await createRegisteredApp(test)).app_id}` }),
  ],
  '/v1/users/{user_id}/extensions/{app_id}': [
    'as the first',
    async () => {
      const { appId, id } = await installed();
      return { client: registry, path: `/v1/users/${id}/extensions/${appId}` };
    },
  ],
};

const send = ({ client, path, body }: Target) => client.request<{ code?: string }>('DELETE', path, body);

describe.each([
  ['auth-gateway', GATEWAY],
  ['registry', REGISTRY],
])('a second DELETE of %s', (service, targets) => {
  it('is tried of every route', () => {
    const { paths } = JSON.parse(readFileSync(`docs/openapi/${service}.json`, 'utf8')) as OpenAPIObject;
    const documented = Object.keys(paths).filter((path) => paths[path]?.delete);
    expect([...new Set(Object.keys(targets).map((path) => path.replace(/\?.*/, '')))].sort()).toEqual(
      documented.sort(),
    );
  });

  const cases = Object.entries(targets).map(([path, [second, prepare]]) => ({ path, second, prepare }));

  it.each(cases)('$path answers: $second', async ({ second, prepare }) => {
    const target = await prepare();
    const first = await send(target);
    expect(first).toMatchObject({ status: expect.any(Number) });
    expect([200, 204]).toContain(first.status);
    for (const again of [await send(target), await send(target)]) {
      if (second === 'gone')
        expect(again).toMatchObject({ status: 404, body: { code: expect.stringMatching(/^[a-z_]+\.not_found$/) } });
      else expect([again.status, Object.keys(again.body)]).toEqual([first.status, Object.keys(first.body)]);
    }
  });

  it.each(cases)('$path, when 10 come at once: $second', async ({ second, prepare }) => {
    const target = await prepare();
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(target)));
    const done = answers.filter(({ status }) => status === 200 || status === 204);
    expect(answers.filter(({ status }) => ![200, 204, 404].includes(status))).toEqual([]);
    expect(done).toHaveLength(second === 'gone' ? 1 : 10);
  });
});
