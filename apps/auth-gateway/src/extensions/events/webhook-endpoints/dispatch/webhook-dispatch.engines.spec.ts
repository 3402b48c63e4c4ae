import { until } from '@platform/testing';
import { DataSource } from 'typeorm';
import { EventPositionsService } from '../../../../kernel/events/event-positions.service.js';
import { publishEvent } from '../../../../kernel/events/publish-event.js';
import {
  makeRetriesDue,
  createTestEndpoint,
  publishTestEvent,
  type TestEndpoint,
} from '../../../../testing/test-webhook-receiver.js';
import {
  answerWith,
  waitForDelivery,
  listDeliveries,
  PLAN,
  planOf,
  routeOf,
  TenantWebhooksTest,
} from '../../../../testing/tenant-webhooks-test.js';
import { MAX_BACKLOG, NewDeliveriesService } from './new-deliveries.service.js';
import { WebhookDispatchWorker } from './webhook-dispatch.worker.js';

let webhooks: TenantWebhooksTest;
beforeAll(async () => {
  webhooks = await TenantWebhooksTest.start({ WORKERS: 'inline' });
});
beforeEach(() => webhooks.newTenant());
afterAll(() => webhooks.stop());

describe('of what happens, an endpoint gets', () => {
  it('what it has chosen, and of what is said to users what it names', async () => {
    const [all, named, billing] = [
      await webhooks.endpoint({ event_types: ['*'] }),
      await webhooks.endpoint({ event_types: ['chat_message'] }),
      await webhooks.endpoint({ event_types: ['billing.*'] }),
    ];
    const said = { message_id: 'msg_1', text: 'Hello', type: 'response' as const, app_id: 'notes', refresh_panels: [] };
    await publishTestEvent(webhooks.gateway.service, {
      type: 'chat_message',
      tenantId: webhooks.tenantId,
      userId: webhooks.user.id,
      data: said,
    });
    await publishTestEvent(webhooks.gateway.service, {
      type: 'user.updated',
      tenantId: webhooks.tenantId,
      userId: null,
      data: { user_id: webhooks.user.id, changed: ['role'] },
    });
    await webhooks.publishPlanChanged();
    const types = async (one: TestEndpoint, count: number) =>
      (await webhooks.receiver.waitForFirst(one.path, count))
        .map(({ body }) => (JSON.parse(body) as { type: string }).type)
        .sort();
    expect(await types(billing, 1)).toEqual(['billing.plan_changed']);
    expect(await types(named, 1)).toEqual(['chat_message']);
    await until(async () =>
      (await listDeliveries(all, '?status=delivered')).some(({ event_type }) => event_type === 'billing.plan_changed'),
    );
    const got = (await listDeliveries(all)).map(({ event_type }) => event_type);
    expect(got).toEqual(expect.arrayContaining(['user.updated', 'billing.plan_changed']));
    expect(got).not.toContain('chat_message');
  });

  it('nothing of another tenant, unless it is for all', async () => {
    const mine = await webhooks.endpoint();
    const changes = { event_types: ['payout.changed', 'billing.plan_changed'] };
    await webhooks.withEndpointOfAllTenants(changes, async (all) => {
      const other = await createTestEndpoint(all.client, webhooks.receiver);
      const foreigner = await webhooks.gateway.user();
      const data = { ...PLAN, plan: 'theirs' };
      await publishTestEvent(webhooks.gateway.service, {
        type: 'billing.plan_changed',
        tenantId: 'default',
        userId: foreigner.id,
        data,
      });
      await webhooks.publishPlanChanged('mine');
      expect((await webhooks.receiver.waitForFirst(all.path, 2)).map(planOf).sort()).toEqual(['mine', 'theirs']);
      expect((await webhooks.receiver.waitForFirst(mine.path, 1)).map(planOf)).toEqual(['mine']);
      expect((await webhooks.receiver.waitForFirst(other.path, 1)).map(planOf)).toEqual(['theirs']);
      expect([await listDeliveries(mine), await listDeliveries(other)].map(({ length }) => length)).toEqual([1, 1]);
      const of = (await listDeliveries(all)).map(({ tenant_id }) => tenant_id);
      expect(of.sort()).toEqual(['default', webhooks.tenantId].sort());
    });
  });

  it('nothing that was before it, and nothing while it is disabled', async () => {
    await webhooks.publishPlanChanged('before');
    await webhooks.gateway.service.app.get(EventPositionsService).placeEvents();
    const one = await webhooks.endpoint();
    await webhooks.client.patch(routeOf(one), { status: 'disabled' });
    await webhooks.publishPlanChanged('meanwhile');
    await webhooks.gateway.service.app.get(EventPositionsService).placeEvents();
    await webhooks.client.patch(routeOf(one), { status: 'enabled' });
    await webhooks.publishPlanChanged('after');
    expect((await webhooks.receiver.waitForFirst(one.path, 1)).map(planOf)).toEqual(['after']);
    expect(await listDeliveries(one)).toHaveLength(1);
  });

  it('what was committed late, after what was written later', async () => {
    const one = await webhooks.endpoint();
    const late = webhooks.gateway.service.app.get(DataSource).createQueryRunner();
    await late.startTransaction();
    await publishEvent(late.manager, {
      type: 'billing.plan_changed',
      tenantId: webhooks.tenantId,
      userId: webhooks.user.id,
      data: { ...PLAN, plan: 'late' },
    });
    await webhooks.publishPlanChanged('early');
    expect((await webhooks.receiver.waitForFirst(one.path, 1)).map(planOf)).toEqual(['early']);
    await late.commitTransaction();
    await late.release();
    expect((await webhooks.receiver.waitForFirst(one.path, 2)).map(planOf)).toEqual(['early', 'late']);
  });

  it('each once, though two processes give them out, and post them, at once', async () => {
    const one = await webhooks.endpoint();
    const beside = await webhooks.gateway.startSecondProcess(webhooks.env);
    const services = [webhooks.gateway.service, beside];
    const ids: string[] = [];
    for (let n = 0; n < 40; n++) {
      ids.push(await webhooks.publishPlanChanged(`n${n}`, services[n % 2]));
      if (n % 8 === 0)
        await Promise.all(services.map((service) => service.app.get(WebhookDispatchWorker).dispatchAll()));
    }
    await until(async () => (await listDeliveries(one, '?status=delivered')).length === 40);
    expect((await listDeliveries(one)).map(({ event_id }) => event_id).sort()).toEqual(ids.sort());
    expect(webhooks.receiver.receivedAt(one.path)).toHaveLength(40);
    await beside.stop();
  });

  it('nothing once its tenant was deleted', async () => {
    const one = await webhooks.endpoint();
    await webhooks.gateway.backend().delete(`/v1/tenants/${webhooks.tenantId}`);
    await webhooks.withEndpointOfAllTenants({}, async (all) => {
      await webhooks.publishPlanChanged();
      await webhooks.receiver.waitForFirst(all.path, 1); // a delivery to `one` would have been in the same transaction
    });
    expect(
      await webhooks.gateway.service.query('SELECT FROM webhook_endpoint_deliveries WHERE endpoint_id = $1', [one.id]),
    ).toEqual([]);
  });
});

describe('while too much waits', () => {
  let deliveries: NewDeliveriesService;
  beforeEach(() => {
    deliveries = webhooks.gateway.service.app.get(NewDeliveriesService);
  });
  afterEach(() => {
    deliveries.maxBacklog = MAX_BACKLOG;
  });
  const failed = (one: TestEndpoint, count: number) =>
    until(async () => {
      const found = await listDeliveries(one, '?status=failed');
      return found.length === count ? found : null;
    });
  const replay = (one: TestEndpoint, { id }: { id: string }) =>
    webhooks.client.post(`${routeOf(one)}/deliveries/${id}/replay`);
  const FULL = { status: 409, body: { code: 'webhook_endpoint.backlog_full' } };

  it('what comes has failed at once, and can be replayed later', async () => {
    const one = await webhooks.endpoint();
    webhooks.receiver.setAnswer(one.path, answerWith(500));
    await webhooks.publishPlanChanged('first');
    await waitForDelivery(one, ({ attempts }) => attempts === 1);
    deliveries.maxBacklog = 1;
    await webhooks.publishPlanChanged('second');
    const second = await waitForDelivery(one, ({ status }) => status === 'failed');
    expect(second).toMatchObject({ last_error: 'backlog_full', attempts: 0 });
    expect(await replay(one, second)).toMatchObject(FULL);
    webhooks.receiver.setAnswer(one.path);
    await makeRetriesDue(webhooks.gateway.service, one);
    await waitForDelivery(one, ({ status }) => status === 'delivered');
    expect((await replay(one, second)).status).toBe(202);
    await until(() => webhooks.receiver.receivedAt(one.path).some((hook) => planOf(hook) === 'second'));
  });

  it('of many that are replayed, tested or given out at once so many begin as there is room for', async () => {
    const one = await webhooks.endpoint();
    webhooks.receiver.setAnswer(one.path, answerWith(500));
    const since = new Date().toISOString();
    deliveries.maxBacklog = 0;
    await webhooks.insertPlanChanges(9);
    await webhooks.gateway.service.app.get(EventPositionsService).placeEvents();
    const all = await failed(one, 9);
    deliveries.maxBacklog = 2;
    const answers = await Promise.all([
      ...all.map((each) => replay(one, each)),
      webhooks.client.post(`${routeOf(one)}/test`),
    ]);
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(2);
    for (const answer of answers) if (answer.status !== 202) expect(answer).toMatchObject(FULL);
    expect(await webhooks.client.post(`${routeOf(one)}/test`)).toMatchObject(FULL);
    const ofTime = () => webhooks.client.post(`${routeOf(one)}/replay`, { since });
    expect(await ofTime()).toMatchObject({ status: 202, body: { replayed: 0, cursor: null } });
    deliveries.maxBacklog = 5;
    expect(await ofTime()).toMatchObject({ status: 202, body: { replayed: 3, cursor: null } });
    expect(await listDeliveries(one, '?status=pending')).toHaveLength(5);
  });
});
