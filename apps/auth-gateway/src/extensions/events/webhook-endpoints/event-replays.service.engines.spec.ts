import type {
  ReplayEventsResponse,
  WebhookEndpointDeliveriesResponse,
  WebhookEndpointDelivery,
} from '@platform/contracts';
import { until } from '@platform/testing';
import { Webhook } from 'standardwebhooks';
import { EventPositionsService } from '../../../kernel/events/event-positions.service.js';
import type { ReceivedHook } from '../../../testing/test-webhook-receiver.js';
import {
  answerWith,
  waitForDelivery,
  listDeliveries,
  planOf,
  routeOf,
  TenantWebhooksTest,
} from '../../../testing/tenant-webhooks-test.js';
import { WebhookDispatchWorker } from './dispatch/webhook-dispatch.worker.js';

let webhooks: TenantWebhooksTest;
beforeAll(async () => {
  webhooks = await TenantWebhooksTest.start({ WORKERS: 'inline' });
});
beforeEach(() => webhooks.newTenant());
afterAll(() => webhooks.stop());

describe('a test', () => {
  it('is posted whatever was chosen', async () => {
    const one = await webhooks.endpoint({ event_types: ['payout.changed'] });
    const { status, body } = await webhooks.client.post<WebhookEndpointDelivery>(`${routeOf(one)}/test`);
    expect({ status, body }).toMatchObject({
      status: 202,
      body: { event_type: 'webhook_endpoint.test', event_id: null, status: 'pending' },
    });
    const [hook] = (await webhooks.receiver.waitForFirst(one.path, 1)) as [ReceivedHook];
    expect(new Webhook(one.secret).verify(hook.body, hook.headers)).toMatchObject({
      type: 'webhook_endpoint.test',
      data: { endpoint_id: one.id },
    });
    expect(hook.headers['webhook-id']).toBe(body.id);
  });

  it('is refused where the endpoint is disabled', async () => {
    const one = await webhooks.endpoint();
    await webhooks.client.patch(routeOf(one), { status: 'disabled' });
    expect(await webhooks.client.post(`${routeOf(one)}/test`)).toMatchObject({
      status: 409,
      body: { code: 'webhook_endpoint.disabled' },
    });
  });
});

describe('again', () => {
  it('a delivery is posted with its id, unless it is under way', async () => {
    const one = await webhooks.endpoint();
    const id = await webhooks.publishPlanChanged();
    const arrived = await waitForDelivery(one, ({ status }) => status === 'delivered');
    const replay = () =>
      webhooks.client.post<WebhookEndpointDelivery>(`${routeOf(one)}/deliveries/${arrived.id}/replay`);
    expect(await replay()).toMatchObject({ status: 202, body: { status: 'pending', attempts: 0 } });
    expect((await webhooks.receiver.waitForFirst(one.path, 2)).map(({ headers }) => headers['webhook-id'])).toEqual([
      id,
      id,
    ]);
    webhooks.receiver.setAnswer(one.path, answerWith(500));
    await waitForDelivery(one, ({ status }) => status === 'delivered');
    await replay();
    await waitForDelivery(one, ({ attempts }) => attempts === 1);
    expect(await replay()).toMatchObject({ status: 409, body: { code: 'webhook_endpoint.delivery_pending' } });
    expect((await webhooks.client.post(`${routeOf(one)}/deliveries/whd_unknown/replay`)).status).toBe(404);
  });

  it('the events of a time are posted that it has not had', async () => {
    const since = new Date().toISOString();
    await webhooks.publishPlanChanged('before it was made');
    await webhooks.gateway.service.app.get(EventPositionsService).placeEvents();
    const one = await webhooks.endpoint();
    await webhooks.publishPlanChanged('had');
    await webhooks.receiver.waitForFirst(one.path, 1);
    await waitForDelivery(one, ({ status }) => status === 'delivered');
    await webhooks.client.patch(routeOf(one), { status: 'disabled' });
    await webhooks.publishPlanChanged('missed');
    await webhooks.gateway.service.app.get(EventPositionsService).placeEvents();
    await webhooks.gateway.service.app.get(WebhookDispatchWorker).dispatchAll();
    const replay = () => webhooks.client.post<ReplayEventsResponse>(`${routeOf(one)}/replay`, { since });
    expect(await replay()).toMatchObject({ status: 409 });
    await webhooks.client.patch(routeOf(one), { status: 'enabled' });
    expect(await replay()).toMatchObject({ status: 202, body: { replayed: 2, cursor: null } });
    expect((await webhooks.receiver.waitForFirst(one.path, 3)).map(planOf).sort()).toEqual([
      'before it was made',
      'had',
      'missed',
    ]);
    expect((await replay()).body).toEqual({ replayed: 0, cursor: null });
  });

  it('they go on where the request before has ended', async () => {
    const since = new Date().toISOString();
    await webhooks.insertPlanChanges(1200);
    await webhooks.gateway.service.app.get(EventPositionsService).placeEvents();
    const one = await webhooks.endpoint();
    await webhooks.gateway.service.app.get(WebhookDispatchWorker).dispatchAll();
    const first = await webhooks.client.post<ReplayEventsResponse>(`${routeOf(one)}/replay`, { since });
    expect(first.body).toMatchObject({ replayed: 1_000, cursor: expect.stringMatching(/^\d+$/) });
    const second = await webhooks.client.post<ReplayEventsResponse>(`${routeOf(one)}/replay`, {
      since,
      cursor: first.body.cursor,
    });
    expect(second.body).toEqual({ replayed: 200, cursor: null });
    await webhooks.client.delete(routeOf(one));
  });

  it.each([
    ['longer ago than a day', { since: '2020-01-01T00:00:00Z' }],
    ['that ends before it begins', { since: new Date().toISOString(), until: '2020-01-01T00:00:00Z' }],
    ['that is none', { since: 'yesterday' }],
    ['after a cursor that is none', { since: new Date().toISOString(), cursor: 'x' }],
  ])('not of a time %s', async (_what, body) => {
    const one = await webhooks.endpoint();
    expect((await webhooks.client.post(`${routeOf(one)}/replay`, body)).status).toBe(422);
  });
});

it('lists deliveries page by page, the newest first', async () => {
  const one = await webhooks.endpoint();
  for (const plan of ['a', 'b', 'c']) await webhooks.publishPlanChanged(plan);
  await until(async () => (await listDeliveries(one, '?status=delivered')).length === 3);
  const all = (await listDeliveries(one)).map(({ id }) => id);
  expect([...all].sort().reverse()).toEqual(all);
  const page = async (query: string) =>
    (await webhooks.client.get<WebhookEndpointDeliveriesResponse>(`${routeOf(one)}/deliveries?${query}`)).body;
  const first = await page('limit=2');
  const second = await page(`limit=2&cursor=${first.cursor}`);
  expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(all);
  expect(second.cursor).toBeNull();
  expect((await page('status=failed')).items).toEqual([]);
});
