import type { WebhookEndpointDeliveryDetail, WebhookEndpointWithSecret } from '@platform/contracts';
import { LocalServer, until } from '@platform/testing';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import type { TestUser } from '../../../../testing/gateway-test.js';
import { makeRetriesDue, type ReceivedHook, type TestEndpoint } from '../../../../testing/test-webhook-receiver.js';
import {
  answerWith,
  waitForDelivery,
  listDeliveries,
  PLAN,
  routeOf,
  TenantWebhooksTest,
} from '../../../../testing/tenant-webhooks-test.js';
import { RETRY_WAITS_MS } from './retry-schedule.js';

let webhooks: TenantWebhooksTest;
/** Keeps the port for the receiver of the document until it starts. */
let placeholder: LocalServer;
/** Instead of some seconds, so that no retry starts during a test. */
const FIRST_WAIT_MS = 5 * 60_000;
beforeAll(async () => {
  jest.replaceProperty(RETRY_WAITS_MS, 0, FIRST_WAIT_MS);
  placeholder = await LocalServer.start(() => undefined);
  webhooks = await TenantWebhooksTest.start({ WORKERS: 'inline' }, [`127.0.0.1:${placeholder.port}`]);
});
beforeEach(() => webhooks.newTenant());
afterAll(() => webhooks.stop());

const PUT_BACK = "SELECT FROM outbox WHERE payload ->> 'delivery_id' = $1 AND due_at > now() + interval '30 minutes'";

it('arrives as JSON, signed as Standard Webhooks says', async () => {
  const one = await webhooks.endpoint();
  const id = await webhooks.publishPlanChanged();
  const [hook] = (await webhooks.receiver.waitForFirst(one.path, 1)) as [ReceivedHook];
  expect(new Webhook(one.secret).verify(hook.body, hook.headers)).toEqual({
    type: 'billing.plan_changed',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    data: PLAN,
    event_id: id,
    tenant_id: webhooks.tenantId,
    user_id: webhooks.user.id,
  });
  expect(hook.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': expect.stringContaining('webhooks'),
    'webhook-id': id,
    'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
  });
  const arrived = await waitForDelivery(one, ({ status }) => status === 'delivered');
  expect(arrived).toMatchObject({
    message_id: id,
    event_id: id,
    attempts: 1,
    last_status_code: 204,
    last_error: null,
    next_attempt_at: null,
  });
  const { body } = await webhooks.client.get<WebhookEndpointDeliveryDetail>(`${routeOf(one)}/deliveries/${arrived.id}`);
  expect(body).toEqual(Object.assign({ payload: JSON.parse(hook.body) as unknown }, arrived));
});

describe('what does not arrive', () => {
  it('is tried again, with the same id, until it does', async () => {
    const one = await webhooks.endpoint();
    webhooks.receiver.setAnswer(one.path, answerWith(500));
    const id = await webhooks.publishPlanChanged();
    const failed = await waitForDelivery(one, ({ attempts }) => attempts === 1);
    expect(failed).toMatchObject({ status: 'pending', last_status_code: 500, last_error: 'status', finished_at: null });
    const wait = Date.parse(String(failed.next_attempt_at)) - Date.now();
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(1.2 * FIRST_WAIT_MS);
    const { body } = await webhooks.client.get<WebhookEndpointDeliveryDetail>(
      `${routeOf(one)}/deliveries/${failed.id}`,
    );
    expect(JSON.stringify(body)).not.toContain('10.0.0.7'); // the receiver's answer is not shown
    expect((await webhooks.client.get(routeOf(one))).body).toMatchObject({ failing_since: expect.any(String) });
    webhooks.receiver.setAnswer(one.path);
    await makeRetriesDue(webhooks.gateway.service, one);
    const arrived = await waitForDelivery(one, ({ status }) => status === 'delivered');
    expect(arrived).toMatchObject({ id: failed.id, attempts: 2, last_error: null, last_status_code: 204 });
    expect(webhooks.receiver.receivedAt(one.path).map(({ headers }) => headers['webhook-id'])).toEqual([id, id]);
    expect(webhooks.receiver.receivedAt(one.path).map(({ body: sent }) => sent)[0]).toBe(
      webhooks.receiver.receivedAt(one.path)[1]?.body,
    );
    expect((await webhooks.client.get(routeOf(one))).body).toMatchObject({ failing_since: null });
  });

  it('waits as long as the receiver asks', async () => {
    const one = await webhooks.endpoint();
    webhooks.receiver.setAnswer(one.path, answerWith(503, { 'retry-after': '600' }));
    await webhooks.publishPlanChanged();
    const { next_attempt_at } = await waitForDelivery(one, ({ attempts }) => attempts === 1);
    expect(Math.abs(Date.parse(String(next_attempt_at)) - Date.now() - 600_000)).toBeLessThan(60_000);
  });

  it('is not sent where a redirect leads', async () => {
    const [one, target] = [await webhooks.endpoint(), await webhooks.endpoint({ event_types: ['payout.changed'] })];
    webhooks.receiver.setAnswer(one.path, answerWith(307, { location: webhooks.receiver.url(target.path) }));
    await webhooks.publishPlanChanged();
    expect(await waitForDelivery(one, ({ attempts }) => attempts === 1)).toMatchObject({
      last_error: 'redirect',
      last_status_code: 307,
    });
    expect(webhooks.receiver.receivedAt(target.path)).toEqual([]);
  });

  it('has arrived where the status says so, however long the answer goes on', async () => {
    const one = await webhooks.endpoint();
    webhooks.receiver.setAnswer(one.path, (response) => {
      response.writeHead(200);
      const more = setInterval(() => response.write('x'.repeat(1_000)), 10);
      response.on('close', () => clearInterval(more));
    });
    await webhooks.publishPlanChanged();
    await waitForDelivery(one, ({ status }) => status === 'delivered');
  });

  it.each([
    ['https://localhost/', 'url_refused'],
    ['https://10.0.0.1/', 'url_refused'],
    ['http://hooks.example.com/', 'url_refused'],
  ])('is never posted to %s, though it stands in the database', async (url, last_error) => {
    const one = await webhooks.endpoint();
    await webhooks.gateway.service.query('UPDATE webhook_endpoints SET url = $2 WHERE id = $1', [one.id, url]);
    await webhooks.publishPlanChanged();
    expect(await waitForDelivery(one, ({ attempts }) => attempts === 1)).toMatchObject({
      last_error,
      last_status_code: null,
    });
  });

  it('is left to the process that posts it, and taken over once that is dead', async () => {
    const one = await webhooks.endpoint();
    webhooks.receiver.setAnswer(one.path, answerWith(500));
    await webhooks.publishPlanChanged();
    const { id } = await waitForDelivery(one, ({ attempts }) => attempts === 1);
    const waits = "SELECT FROM outbox WHERE payload ->> 'delivery_id' = $1 AND due_at IS NOT NULL";
    await until(async () => (await webhooks.gateway.service.query(waits, [id])).length === 1);
    webhooks.receiver.setAnswer(one.path);
    const leased =
      "UPDATE webhook_endpoint_deliveries SET next_attempt_at = now(), leased_until = now() + interval '1 hour' WHERE id = $1";
    await webhooks.gateway.service.query(leased, [id]);
    await webhooks.gateway.service.query(
      "UPDATE outbox SET due_at = now() WHERE queue = 'webhook-endpoint-deliveries' AND payload ->> 'delivery_id' = $1",
      [id],
    );
    await until(async () => (await webhooks.gateway.service.query(PUT_BACK, [id])).length === 1);
    expect(webhooks.receiver.receivedAt(one.path)).toHaveLength(1);
    await makeRetriesDue(webhooks.gateway.service, one);
    expect(await waitForDelivery(one, ({ status }) => status === 'delivered')).toMatchObject({ attempts: 2 });
  });

  it.each([204, 500, 410])(
    'and counts as the process says that has it now, though another one that hung is answered %i',
    async (status) => {
      const one = await webhooks.endpoint();
      const held: ServerResponse[] = [];
      webhooks.receiver.setAnswer(one.path, (response) => void held.push(response));
      await webhooks.publishPlanChanged();
      await webhooks.receiver.waitForFirst(one.path, 1);
      const { id } = await waitForDelivery(one, ({ status: now }) => now === 'pending');
      const takenOver = "UPDATE webhook_endpoint_deliveries SET leased_until = now() + interval '1 hour' WHERE id = $1";
      await webhooks.gateway.service.query(takenOver, [id]);
      held[0]?.writeHead(status).end();
      await until(async () => (await webhooks.gateway.service.query(PUT_BACK, [id])).length === 1);
      expect(await listDeliveries(one)).toMatchObject([
        { status: 'pending', attempts: 0, last_error: null, last_status_code: null },
      ]);
      expect((await webhooks.client.get(routeOf(one))).body).toMatchObject({ status: 'enabled', failing_since: null });
      webhooks.receiver.setAnswer(one.path);
      await makeRetriesDue(webhooks.gateway.service, one);
      expect(await waitForDelivery(one, (each) => each.status === 'delivered')).toMatchObject({ attempts: 1 });
    },
  );
});

describe('an endpoint', () => {
  /** Simulates nine failed attempts, so that the next one is the last. */
  const atLastTry = async (one: TestEndpoint, failingFor: string) => {
    await webhooks.gateway.service.query('UPDATE webhook_endpoint_deliveries SET attempts = 9 WHERE endpoint_id = $1', [
      one.id,
    ]);
    await webhooks.gateway.service.query(
      `UPDATE webhook_endpoints SET failing_since = now() - $2::interval WHERE id = $1`,
      [one.id, failingFor],
    );
    await makeRetriesDue(webhooks.gateway.service, one);
  };
  const mailsTo = ({ email }: TestUser) => webhooks.gateway.smtp.mails.filter(({ to }) => to === email);

  it('that nothing has arrived at for three days is disabled, and its maker gets one mail', async () => {
    const [one, watching] = [
      await webhooks.endpoint(),
      await webhooks.endpoint({ event_types: ['webhook_endpoint.disabled'] }),
    ];
    webhooks.receiver.setAnswer(one.path, answerWith(500));
    await Promise.all([
      webhooks.publishPlanChanged('a'),
      webhooks.publishPlanChanged('b'),
      webhooks.publishPlanChanged('c'),
    ]);
    await until(async () => (await listDeliveries(one)).filter(({ attempts }) => attempts === 1).length === 3);
    await atLastTry(one, '73 hours');
    const [hook] = (await webhooks.receiver.waitForFirst(watching.path, 1)) as [ReceivedHook];
    expect(JSON.parse(hook.body)).toMatchObject({
      type: 'webhook_endpoint.disabled',
      data: { endpoint_id: one.id, reason: 'failures' },
      user_id: null,
    });
    expect((await webhooks.client.get(routeOf(one))).body).toMatchObject({
      status: 'disabled',
      disabled_reason: 'failures',
    });
    await until(async () => (await listDeliveries(one)).every(({ status }) => status === 'failed'));
    const mail = await webhooks.gateway.smtp.waitForMail(webhooks.admin.email);
    expect(mail.subject).toBe('A webhook endpoint was disabled');
    expect(mail.text).toContain('127.0.0.1');
    expect(mail.text).not.toContain(one.path);
    await until(
      async () => (await webhooks.gateway.service.query("SELECT FROM outbox WHERE queue = 'mail'")).length === 0,
    );
    expect(mailsTo(webhooks.admin)).toHaveLength(1);
    const { body } = await webhooks.client.get<{ items: { app_id: string }[] }>('/v1/me/notifications');
    expect(body.items.filter(({ app_id }) => app_id === 'webhooks')).toHaveLength(1);
    const entries = await webhooks.gateway.service.query(
      "SELECT FROM gateway_audit.audit_entries WHERE action = 'webhook_endpoint.disabled' AND target_id = $1",
      [one.id],
    );
    expect(entries).toHaveLength(1);
    expect((await webhooks.client.patch(routeOf(one), { status: 'enabled' })).body).toMatchObject({
      failing_since: null,
      disabled_reason: null,
    });
  });

  it('that something has arrived at since stays, though a delivery has failed for good', async () => {
    const one = await webhooks.endpoint();
    webhooks.receiver.setAnswer(one.path, answerWith(500));
    await webhooks.publishPlanChanged();
    await waitForDelivery(one, ({ attempts }) => attempts === 1);
    await atLastTry(one, '71 hours');
    expect(await waitForDelivery(one, ({ status }) => status === 'failed')).toMatchObject({
      attempts: 10,
      last_error: 'status',
    });
    expect((await webhooks.client.get(routeOf(one))).body).toMatchObject({ status: 'enabled' });
  });

  it('that is gone is disabled at once', async () => {
    const one = await webhooks.endpoint();
    webhooks.receiver.setAnswer(one.path, answerWith(410));
    await webhooks.publishPlanChanged();
    expect(await waitForDelivery(one, ({ status }) => status === 'failed')).toMatchObject({
      attempts: 1,
      last_error: 'gone',
      last_status_code: 410,
    });
    expect((await webhooks.client.get(routeOf(one))).body).toMatchObject({
      status: 'disabled',
      disabled_reason: 'gone',
    });
    expect((await webhooks.gateway.smtp.waitForMail(webhooks.admin.email)).text).toContain('410');
  });

  it('that is disabled fails what waits for it', async () => {
    const one = await webhooks.endpoint();
    webhooks.receiver.setAnswer(one.path, answerWith(500));
    await webhooks.publishPlanChanged();
    await waitForDelivery(one, ({ attempts }) => attempts === 1);
    await webhooks.client.patch(routeOf(one), { status: 'disabled' });
    expect(await listDeliveries(one)).toMatchObject([{ status: 'failed', last_error: 'endpoint_disabled' }]);
  });

  it('that is slow holds up no other, and is called four times at once at most', async () => {
    const [slow, quick] = [await webhooks.endpoint(), await webhooks.endpoint()];
    const held: ServerResponse[] = [];
    let most = 0;
    webhooks.receiver.setAnswer(slow.path, (response) => {
      held.push(response);
      most = Math.max(most, held.filter(({ writableEnded }) => !writableEnded).length);
    });
    for (let n = 0; n < 20; n++) await webhooks.publishPlanChanged(`n${n}`);
    await until(async () => (await listDeliveries(quick, '?status=delivered')).length === 20);
    expect(await listDeliveries(slow, '?status=delivered')).toHaveLength(0);
    await until(() => held.length > 0);
    webhooks.receiver.setAnswer(slow.path);
    for (const response of held) response.writeHead(204).end();
    await until(async () => (await listDeliveries(slow, '?status=delivered')).length === 20);
    expect(most).toBeLessThanOrEqual(4);
  });

  it('whose secret is changed gets signatures of both, and of the new one alone later', async () => {
    const one = await webhooks.endpoint();
    const { body } = await webhooks.client.post<WebhookEndpointWithSecret>(`${routeOf(one)}/rotate-secret`);
    await webhooks.publishPlanChanged();
    const [both] = (await webhooks.receiver.waitForFirst(one.path, 1)) as [ReceivedHook];
    expect(both.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    for (const secret of [one.secret, body.secret]) new Webhook(secret).verify(both.body, both.headers);
    await webhooks.gateway.service.query('UPDATE webhook_endpoints SET previous_secret_until = now() WHERE id = $1', [
      one.id,
    ]);
    await webhooks.publishPlanChanged();
    const [, later] = (await webhooks.receiver.waitForFirst(one.path, 2)) as [ReceivedHook, ReceivedHook];
    new Webhook(body.secret).verify(later.body, later.headers);
    expect(() => new Webhook(one.secret).verify(later.body, later.headers)).toThrow('No matching signature');
  });
});

it('keeps nothing of the events of a user who is erased', async () => {
  const one = await webhooks.endpoint();
  await webhooks.publishPlanChanged();
  await waitForDelivery(one, ({ status }) => status === 'delivered');
  expect((await webhooks.client.delete(`/v1/users/${webhooks.user.id}?permanent=true`)).status).toBe(200);
  expect(await listDeliveries(one)).toEqual([]);
});

it('goes to the receiver of docs/events.md', async () => {
  const sample = /^```js\n(.*?)^```$/ms.exec(readFileSync('docs/events.md', 'utf8'))?.[1] ?? '';
  const { port } = placeholder;
  const one = await webhooks.endpoint({ url: `http://127.0.0.1:${port}/` });
  const variables = { ...process.env, WEBHOOK_SECRET: one.secret, PORT: String(port), NODE_OPTIONS: '' };
  await placeholder.stop();
  const child = spawn(process.execPath, ['--input-type=module'], {
    env: variables,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stdin.end(sample);
    await until(() =>
      fetch(one.url, { method: 'POST' }).then(
        ({ status }) => status === 400,
        () => false,
      ),
    ); // an unsigned request gets 400 once the server runs
    await webhooks.publishPlanChanged();
    await waitForDelivery(one, ({ status }) => status === 'delivered');
    await until(() => output.includes("billing.plan_changed { plan: 'pro', previous_plan: 'free' }"));
  } finally {
    child.kill();
  }
});
