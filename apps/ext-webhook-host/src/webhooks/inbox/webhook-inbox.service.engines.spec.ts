import type { WebhookDeliveriesResponse, WebhookDelivery, WebhookDeliveryDetail } from '@platform/contracts';
import { ExtensionError } from '@platform/extension-sdk/runtime';
import { sha256 } from '@platform/platform';
import { TEST_SERVICE_TOKEN, TestService, until } from '@platform/testing';
import { randomBytes } from 'node:crypto';
import { loadConfig } from '../../config.js';
import { extWebhookHost } from '../../service.js';
import { TestApps, type TestHandler } from '../../testing/test-apps.js';
import { INBOX_LIMITS, WebhookInboxService } from './webhook-inbox.service.js';
import { webhookInboxQueue } from './webhook-inbox.jobs.js';

let service: TestService;
let apps: TestApps;
beforeAll(async () => {
  jest.spyOn(webhookInboxQueue, 'backoff').mockReturnValue(1);
  service = await TestService.start((env) => extWebhookHost(loadConfig(env)));
  apps = new TestApps(service);
});
afterEach(() => (service.app.get(WebhookInboxService).limits = INBOX_LIMITS));
afterAll(() => service.stop());

let count = 0;
/** Deploys a new app with one webhook that has an inbox. */
function deploy(handler: TestHandler): string {
  const appId = `app-${++count}`;
  apps.deploy(appId, [{ path: 'in', inbox: true, handler }]);
  return appId;
}

const service_ = () => service.client().withHeaders({ 'X-Service-Token': TEST_SERVICE_TOKEN });
const post = (appId: string, raw: string | Uint8Array = '{"id":"evt_1"}') =>
  service
    .client()
    .post<{ status: string; delivery_id: string; code?: string }>(`/v1/ext/${appId}/webhook/in?a=1`, undefined, {
      raw,
      headers: { 'X-Signature': 'abc' },
    });
const deliveries = (appId: string) => `/v1/internal/apps/${appId}/webhook-deliveries`;
const list = async (appId: string, query = '') =>
  (await service_().get<WebhookDeliveriesResponse>(deliveries(appId) + query)).body;
const get = async (appId: string, id: string) =>
  (await service_().get<WebhookDeliveryDetail>(`${deliveries(appId)}/${id}`)).body;
const replay = (appId: string, id: string) =>
  service_().post<WebhookDelivery & { code?: string }>(`${deliveries(appId)}/${id}/replay`);
const finished = (appId: string, id: string) =>
  until(async () => {
    const delivery = await get(appId, id);
    return delivery.finished_at === null ? null : delivery;
  });

describe('the inbox of an app with a few', () => {
  it('is worked on while fifty others are at theirs, one of them with hundreds', async () => {
    let letGo = (): void => undefined;
    const released = new Promise<void>((resolve) => (letGo = resolve));
    const begun = new Set<number>();
    let ended = 0;
    const others = Array.from({ length: 50 }, (_, at) =>
      deploy(async () => {
        begun.add(at);
        await released;
        ended++;
        return { status_code: 200 };
      }),
    );
    try {
      for (let sent = 0; sent < 300; sent += 50)
        await Promise.all(Array.from({ length: 50 }, () => post(others[0] as string)));
      for (const appId of [...others, ...others]) await post(appId);
      await until(() => begun.size === others.length);
      const quiet = deploy(() => ({ status_code: 200 }));
      const sent = await Promise.all([1, 2, 3].map(() => post(quiet)));
      for (const { body } of sent) {
        expect(await finished(quiet, body.delivery_id)).toMatchObject({ status: 'succeeded', attempts: 1 });
      }
      expect(ended).toBe(0);
    } finally {
      letGo();
    }
  });
});

describe('a webhook with an inbox', () => {
  it('answers 202 before the handler has run, which then gets the request to the byte', async () => {
    const raw = Buffer.concat([Buffer.from([0xff, 0x00]), randomBytes(100_000)]);
    let let_go = false;
    let hash = '';
    const seen: unknown[] = [];
    const appId = deploy(async (event, { body, receivedAt }) => {
      await until(() => let_go);
      hash = sha256(body).toString('hex');
      seen.push(event.headers['x-signature'], event.query_params, event.method, receivedAt instanceof Date);
      return { status_code: 200 };
    });
    const { status, body, headers } = await post(appId, raw);
    expect({ status, body }).toEqual({
      status: 202,
      body: { status: 'accepted', delivery_id: expect.stringMatching(/^dlv_/) as string },
    });
    expect(headers.get('content-security-policy')).toContain('sandbox');
    expect((await list(appId)).items).toMatchObject([{ delivery_id: body.delivery_id, finished_at: null }]);
    let_go = true;
    expect(await finished(appId, body.delivery_id)).toMatchObject({
      app_id: appId,
      path: 'in',
      method: 'POST',
      status: 'succeeded',
      attempts: 1,
      status_code: 200,
      error: null,
      next_attempt_at: null,
      query_params: { a: '1' },
      headers: { 'x-signature': 'abc' },
      body_bytes: raw.length,
      body_base64: raw.subarray(0, 64 * 1024).toString('base64'),
    });
    expect(hash).toBe(sha256(raw).toString('hex'));
    expect(seen).toEqual(['abc', { a: '1' }, 'POST', true]);
  });

  it('tries again what failed, with the version that runs by then', async () => {
    let tries = 0;
    let isRepaired = false;
    const appId = deploy(async () => {
      if (++tries > 1) await until(() => isRepaired); // otherwise all attempts could end before
      throw new ExtensionError('STEP_FAILED', 'Step "note": broken');
    });
    const { body } = await post(appId);
    const failed = await until(async () => {
      const delivery = await get(appId, body.delivery_id);
      return delivery.error === null ? null : delivery;
    });
    expect(failed.error).toBe('STEP_FAILED: Step "note": broken');
    apps.deploy(appId, [{ path: 'in', inbox: true, handler: () => 'repaired' }]);
    isRepaired = true;
    const done = await finished(appId, body.delivery_id);
    expect(done).toMatchObject({ status: 'succeeded', error: null });
    expect(done.attempts).toBeGreaterThan(1);
  });

  it('gives up after the last try, and is replayed when its developer says so, as often as that is', async () => {
    let works = false;
    const appId = deploy(() => ({ status_code: works ? 204 : 500 }));
    const { body } = await post(appId);
    const dead = await finished(appId, body.delivery_id);
    expect(dead).toMatchObject({
      status: 'dead',
      attempts: webhookInboxQueue.attempts,
      status_code: 500,
      error: 'The handler answered 500.',
    });
    works = true;
    for (const attempts of [1, 2]) {
      expect(await replay(appId, body.delivery_id)).toMatchObject({
        status: 202,
        body: { status: 'pending', finished_at: null },
      });
      expect(await finished(appId, body.delivery_id)).toMatchObject({
        status: 'succeeded',
        attempts: webhookInboxQueue.attempts + attempts,
        status_code: 204,
        error: null,
      });
    }
  });

  it('is worked on while another app has more than there is room for', async () => {
    let let_go = false;
    const slow = deploy(() => until(() => let_go).then(() => 'ok'));
    const ids = await Promise.all(
      Array.from({ length: 3 * webhookInboxQueue.concurrency }, async () => (await post(slow)).body.delivery_id),
    );
    const quick = deploy(() => 'ok');
    const { body } = await post(quick);
    expect(await finished(quick, body.delivery_id)).toMatchObject({ status: 'succeeded' });
    expect((await list(slow, '?status=succeeded')).items).toEqual([]);
    let_go = true;
    for (const id of ids) expect(await finished(slow, id)).toMatchObject({ status: 'succeeded', attempts: 1 });
  });

  it('is worked on at once beside more apps than there are slots, and large ones when there is memory for them', async () => {
    let let_go = false;
    let running = 0;
    const slow = () => deploy(() => ++running && until(() => let_go).then(() => 'ok'));
    const large = Buffer.alloc(10 * 1024 * 1024, 'x');
    const begun: [string, string][] = [];
    for (let at = 0; at < 9; at++) {
      const appId = slow();
      begun.push([appId, (await post(appId, large)).body.delivery_id]);
    }
    await until(() => running === 6);
    for (let at = 0; at < 10; at++) {
      const appId = slow();
      begun.push([appId, (await post(appId)).body.delivery_id]);
    }
    await until(() => running === 16);
    const quick = deploy(() => 'ok');
    expect(await finished(quick, (await post(quick)).body.delivery_id)).toMatchObject({ status: 'succeeded' });
    expect(service.logLines.filter((line) => line.includes('the queue lost a job'))).toEqual([]); // not found by the sweep
    expect(running).toBe(16);
    let_go = true;
    for (const [appId, id] of begun)
      expect(await finished(appId, id)).toMatchObject({ status: 'succeeded', attempts: 1 });
  });

  it('does not try again what the handler refuses', async () => {
    const appId = deploy(() => ({ status_code: 401 }));
    const { body } = await post(appId);
    expect(await finished(appId, body.delivery_id)).toMatchObject({ status: 'dead', attempts: 1, status_code: 401 });
  });

  it('is replayed by one of two who ask at once, and by nobody while it is tried', async () => {
    let let_go = true;
    const appId = deploy(() => until(() => let_go).then(() => 'ok'));
    const { body } = await post(appId);
    await finished(appId, body.delivery_id);
    let_go = false;
    const both = await Promise.all([replay(appId, body.delivery_id), replay(appId, body.delivery_id)]);
    expect(both.map(({ status }) => status).sort()).toEqual([202, 409]);
    expect(await replay(appId, body.delivery_id)).toMatchObject({
      status: 409,
      body: { code: 'webhook_delivery.not_finished' },
    });
    let_go = true;
    await finished(appId, body.delivery_id);
  });

  it('is done once when its job comes twice', async () => {
    let runs = 0;
    const appId = deploy(() => ++runs);
    const { body } = await post(appId);
    await finished(appId, body.delivery_id);
    const [row] = await service.query<{ job_id: string }>('SELECT job_id FROM webhook_deliveries WHERE id = $1', [
      body.delivery_id,
    ]);
    await service.query(
      `INSERT INTO outbox (id, queue, name, payload) VALUES ($1 || 'x', 'webhook-inbox', 'deliver', jsonb_build_object('delivery_id', $2::text))`,
      [row?.job_id, body.delivery_id],
    );
    await until(async () => !(await service.query('SELECT FROM outbox WHERE id = $1', [`${row?.job_id}x`])).length);
    expect(runs).toBe(1);
  });
});

describe('the inbox of an app', () => {
  it('lists the newest first, a page at a time, by status', async () => {
    const appId = deploy(({ body }) => ({ status_code: body === 'bad' ? 400 : 200 }));
    const ids: string[] = [];
    for (const body of ['a', 'bad', 'c']) {
      const { delivery_id: id } = (await post(appId, body)).body;
      ids.unshift(id);
      await finished(appId, id);
    }
    const first = await list(appId, '?limit=2');
    const rest = await list(appId, `?limit=2&cursor=${first.cursor}`);
    expect([...first.items, ...rest.items].map(({ delivery_id }) => delivery_id)).toEqual(ids);
    expect(rest.cursor).toBeNull();
    expect((await list(appId, '?status=dead')).items).toMatchObject([{ delivery_id: ids[1] }]);
  });

  it('is for services alone, and has nothing of other apps', async () => {
    const appId = deploy(() => 'ok');
    const other = deploy(() => 'ok');
    const { delivery_id: id } = (await post(appId)).body;
    expect((await service.client().get(deliveries(appId))).status).toBe(401);
    expect((await list(other)).items).toEqual([]);
    expect(await service_().get(`${deliveries(other)}/${id}`)).toMatchObject({
      status: 404,
      body: { code: 'webhook_delivery.not_found' },
    });
    expect((await replay(other, id)).status).toBe(404);
    expect((await service_().get(`${deliveries(appId)}?limit=0`)).status).toBe(422);
  });

  it('is bounded: the oldest that are finished make room, and those that are not never do', async () => {
    let let_go = false;
    const appId = deploy(({ body }) => (body === 'held' ? until(() => let_go).then(() => 'ok') : 'ok'));
    service.app.get(WebhookInboxService).limits = { ...INBOX_LIMITS, deliveries: 2 };
    const { delivery_id: old } = (await post(appId, 'first')).body;
    await finished(appId, old);
    const held = await Promise.all([post(appId, 'held'), post(appId, 'held'), post(appId, 'held')]);
    expect(held.map(({ status }) => status).sort()).toEqual([202, 202, 503]);
    expect(held.find(({ status }) => status === 503)).toMatchObject({ body: { code: 'webhook.inbox_full' } });
    expect((await list(appId)).items.map(({ delivery_id }) => delivery_id)).not.toContain(old);
    let_go = true;
    for (const { status, body } of held) if (status === 202) await finished(appId, body.delivery_id);
    expect(await service.query('SELECT deliveries FROM webhook_inboxes WHERE app_id = $1', [appId])).toEqual([
      { deliveries: 2 },
    ]);
  });

  it('is bounded in bytes', async () => {
    const appId = deploy(() => 'ok');
    service.app.get(WebhookInboxService).limits = { ...INBOX_LIMITS, bytes: 2_000 };
    expect((await post(appId, 'x'.repeat(3_000))).status).toBe(503);
    expect((await post(appId, 'x'.repeat(100))).status).toBe(202);
  });

  it('forgets what was finished long ago, and gives up what has lost its job', async () => {
    const appId = deploy(() => 'ok');
    const [old, lost] = [(await post(appId)).body.delivery_id, (await post(appId)).body.delivery_id];
    await finished(appId, old);
    await finished(appId, lost);
    await until(async () => !(await service.query("SELECT FROM outbox WHERE queue = 'webhook-inbox'")).length); // a job ends a moment later
    await service.query("UPDATE webhook_deliveries SET finished_at = now() - interval '8 days' WHERE id = $1", [old]);
    await service.query("UPDATE webhook_deliveries SET status = 'running', finished_at = NULL WHERE id = $1", [lost]);
    const inbox = service.app.get(WebhookInboxService);
    expect(await inbox.deleteOldDeliveries()).toBe(1);
    await inbox.failLostDeliveries();
    expect((await list(appId)).items).toMatchObject([
      { delivery_id: lost, status: 'dead', error: 'Its job was lost.' },
    ]);
    expect(await service.query('SELECT deliveries FROM webhook_inboxes WHERE app_id = $1', [appId])).toEqual([
      { deliveries: 1 },
    ]);
  });

  it('has a request that it could store, and no other: when that fails, the sender is told', async () => {
    const appId = deploy(() => 'ok');
    jest
      .spyOn(service.app.get(WebhookInboxService), 'enqueueDelivery')
      .mockRejectedValueOnce(new Error('the database is away'));
    expect((await post(appId)).status).toBe(500);
    expect((await list(appId)).items).toEqual([]);
  });
});
