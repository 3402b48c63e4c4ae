import type { KeyResponse } from '@platform/contracts';
import { until, type TestClient } from '@platform/testing';
import type { ServerResponse } from 'node:http';
import { DataSource } from 'typeorm';
import { GatewayTest, type TestUser } from '../testing/gateway-test.js';
import { createTenant } from '../testing/tenants.js';
import {
  makeRetriesDue,
  createTestEndpoint,
  publishTestEvent,
  TestWebhookReceiver,
  type TestEndpoint,
} from '../testing/test-webhook-receiver.js';

let gateway: GatewayTest;
let receiver: TestWebhookReceiver;
beforeAll(async () => {
  receiver = await TestWebhookReceiver.start();
  gateway = await GatewayTest.start({ WORKERS: 'inline', ...receiver.env });
});
afterAll(async () => {
  await gateway.stop();
  await receiver.stop();
});

interface Organisation {
  id: string;
  admin: TestUser;
  client: TestClient;
}

async function organisation(): Promise<Organisation> {
  const { id } = await createTenant(gateway.backend());
  const admin = await gateway.user({ tenant_id: id, role: 'admin' });
  return { id, admin, client: await gateway.signIn(admin) };
}
const planChanged = ({ id, admin }: Organisation) =>
  publishTestEvent(gateway.service, {
    type: 'billing.plan_changed',
    tenantId: id,
    userId: admin.id,
    data: { previous_plan: 'free', plan: 'pro' },
  });

it('takes no places from others by 80 endpoints that never answer', async () => {
  const held: ServerResponse[] = [];
  let givenUp = 0;
  const receivers: TestEndpoint[] = [];
  // All deliveries exist before the first endpoint is given up, after 15 s.
  const quiet = await organisation();
  const endpoint = await createTestEndpoint(quiet.client, receiver);
  const attackers: Organisation[] = [];
  for (let tenant = 0; tenant < 4; tenant++) {
    const attacker = await organisation();
    attackers.push(attacker);
    for (let n = 0; n < 20; n++) {
      const one = await createTestEndpoint(attacker.client, receiver);
      receiver.setAnswer(one.path, (response) => {
        held.push(response);
        response.once('close', () => (givenUp += response.writableEnded ? 0 : 1));
      });
      receivers.push(one);
    }
  }
  for (const attacker of attackers) for (let n = 0; n < 3; n++) await planChanged(attacker);
  await until(() => held.length >= 64);
  await planChanged(quiet);
  await receiver.waitForFirst(endpoint.path, 1);
  expect(givenUp).toBe(0); // it did not wait for any of them
  for (const one of receivers) receiver.setAnswer(one.path);
  for (const response of held) response.writeHead(204).end();
});

it('makes no endpoint by an API key, which would outlive the key and hear what no key may', async () => {
  const { client } = await organisation();
  const { body } = await client.post<KeyResponse>('/v1/keys', { name: 'all', scopes: '*' });
  const key = gateway.client().withHeaders({ Authorization: `Bearer ${body.key}` });
  const { id } = await createTestEndpoint(client, receiver);
  const path = `/v1/webhook-endpoints/${id}`;
  expect((await key.get(path)).status).toBe(200);
  for (const refused of [
    key.post('/v1/webhook-endpoints', { url: 'https://hooks.example.com/', event_types: ['session.*'] }),
    key.patch(path, { event_types: ['session.*'] }),
    key.post(`${path}/rotate-secret`),
    key.delete(path),
  ]) {
    expect(await refused).toMatchObject({ status: 403, body: { code: 'webhook_endpoint.key_refused' } });
  }
});

it('keeps one connection for the replays of a tenant, however many are asked for at once', async () => {
  const { id: tenantId, client } = await organisation();
  const { id } = await createTestEndpoint(client, receiver);
  const replay = () => client.post(`/v1/webhook-endpoints/${id}/replay`, { since: new Date().toISOString() });
  await gateway.service.app.get(DataSource).transaction(async (em) => {
    await em.query("SELECT pg_advisory_xact_lock(hashtext('webhook replay'), hashtext($1))", [tenantId]); // holds the lock of a running replay
    expect(await replay()).toMatchObject({ status: 429, body: { code: 'webhook_endpoint.replaying' } });
  });
  expect(await replay()).toMatchObject({ status: 202 });
});

const replayed = (endpoint: TestEndpoint) =>
  endpoint.client.post<{ replayed: number }>(`/v1/webhook-endpoints/${endpoint.id}/replay`, {
    since: new Date(Date.now() - 60_000).toISOString(),
  });
const enable = async ({ id, client }: TestEndpoint, status: 'enabled' | 'disabled'): Promise<void> =>
  expect((await client.patch(`/v1/webhook-endpoints/${id}`, { status })).status).toBe(200);

it('has one job for a delivery in the end, however often it is given up and begun anew', async () => {
  const one = await organisation();
  const endpoint = await createTestEndpoint(one.client, receiver);
  receiver.setAnswer(endpoint.path, (response) => void response.writeHead(500).end());
  for (let n = 0; n < 3; n++) await planChanged(one);
  await until(() => receiver.receivedAt(endpoint.path).length >= 3);
  for (let cycle = 0; cycle < 4; cycle++) {
    await enable(endpoint, 'disabled');
    await enable(endpoint, 'enabled');
    await until(async () => (await replayed(endpoint)).body.replayed === 3);
    await until(() => receiver.receivedAt(endpoint.path).length >= 3 * (cycle + 2));
  }
  await makeRetriesDue(gateway.service, endpoint);
  await until(async () => (await jobs(endpoint)) === 3);
});
const jobs = async ({ id }: TestEndpoint): Promise<number> => {
  const [row] = await gateway.service.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM outbox WHERE queue = 'webhook-endpoint-deliveries' AND payload ->> 'endpoint_id' = $1",
    [id],
  );
  return row?.count ?? 0;
};

it('mails who made an endpoint once, however often it is found gone', async () => {
  const one = await organisation();
  const endpoint = await createTestEndpoint(one.client, receiver);
  receiver.setAnswer(endpoint.path, (response) => void response.writeHead(410).end());
  for (let times = 0; times < 3; times++) {
    await one.client.post(`/v1/webhook-endpoints/${endpoint.id}/test`);
    await until(
      async () =>
        (await one.client.get<{ status: string }>(`/v1/webhook-endpoints/${endpoint.id}`)).body.status === 'disabled',
    );
    await enable(endpoint, 'enabled');
  }
  const notifications = await gateway.service.query(
    "SELECT FROM notifications WHERE user_id = $1 AND app_id = 'webhooks'",
    [one.admin.id],
  );
  expect(notifications).toHaveLength(1);
});

it('lets an address of before disable nothing', async () => {
  const one = await organisation();
  const endpoint = await createTestEndpoint(one.client, receiver);
  const held: ServerResponse[] = [];
  receiver.setAnswer(endpoint.path, (response) => void held.push(response));
  const { body: test } = await one.client.post<{ id: string }>(`/v1/webhook-endpoints/${endpoint.id}/test`);
  await until(() => held.length > 0);
  const path = `/v1/webhook-endpoints/${endpoint.id}`;
  expect((await one.client.patch(path, { url: receiver.url('/another') })).status).toBe(200);
  held[0]?.writeHead(410).end();
  await until(
    async () => (await one.client.get<{ status: string }>(`${path}/deliveries/${test.id}`)).body.status === 'failed',
  );
  expect((await one.client.get(path)).body).toMatchObject({ status: 'enabled', failing_since: null });
});
