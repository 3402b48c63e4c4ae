import { ANY_HOST, DECLARABLE_CAPABILITIES } from '@platform/app-document';
import { type CallKind, type ExtensionContext, RUN_LIMITS } from '@platform/extension-sdk/runtime';
import { newId } from '@platform/platform';
import { until } from '@platform/testing';
import { createHmac } from 'node:crypto';
import { AppDocumentsService } from '../documents/app-documents.service.js';
import { GatewayClient } from '../kernel/gateway/gateway.client.js';
import type { DeployedApp } from '../kernel/deployed/deployed-apps.service.js';
import { Egress } from '@platform/egress';
import { ProcessedEventsRepository } from '../kernel/store/processed-events.repository.js';
import { HostTest, step, userNamed } from '../testing/host.js';
import { identityOf, userOf } from './identities.js';
import { RunContextFactory } from './run-context-factory.js';
import { RunState } from './run-state.js';
import type { Run } from './run.js';

let host: HostTest;
let compiled: Run['compiled'];
let app: Run['app'];
let deployed: DeployedApp;
const begun: RunState[] = [];
beforeAll(async () => {
  host = await HostTest.start();
  deployed = host.deploy({
    secrets: [{ name: 'token', scope: 'user', write_mode: 'both' }],
    steps: [step('in', 'webhook.in', { steps: [] })],
  });
  app = { app_id: deployed.app_id, version: deployed.version };
  compiled = await host.service.app.get(AppDocumentsService).loadCompiledApp(deployed);
});
afterAll(async () => {
  for (const state of begun) state.end();
  await host.stop();
});

function begin(kind: CallKind, changes: Partial<Run> = {}): { context: ExtensionContext; state: RunState } {
  const services = {
    egress: host.service.app.get(Egress),
    events: host.service.app.get(ProcessedEventsRepository),
    allowedHosts: () => Promise.resolve([ANY_HOST]),
  };
  const owner = { appId: app.app_id, tenantId: 'acme', runId: newId('run'), delivery: null };
  const state = new RunState(RUN_LIMITS[kind], 10_000, null, services, owner);
  begun.push(state);
  const isUser = kind === 'function';
  const run: Run = {
    app,
    compiled,
    capabilities: DECLARABLE_CAPABILITIES,
    sha256: deployed.sha256,
    kind,
    handler: 'test',
    tenantId: 'acme',
    user: isUser ? userOf(userNamed('usr_1')) : identityOf('__webhook__', 'acme'),
    userId: isUser ? 'usr_1' : null,
    developerId: null,
    tenant: null,
    hop: 0,
    chain: [`${app.app_id}.test`],
    via: [],
    channel: 'live',
    onlyFor: null,
    grant: host.createGrant(deployed, kind === 'schedule' ? 'schedule' : 'function', {
      tenant_id: 'acme',
      user_id: isUser ? 'usr_1' : null,
    }),
    request: null,
    state,
    ...changes,
  };
  return { context: host.service.app.get(RunContextFactory).createContext(run, () => Promise.resolve(null)), state };
}

/** Code of the error that `work` throws or rejects with. */
const codeOf = async (work: () => unknown): Promise<unknown> => {
  try {
    await work();
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
  return 'nothing';
};

describe('the context of a run', () => {
  it('is of no use once the run is over, nor is any part of it that was taken before', async () => {
    const { context, state } = begin('webhook');
    const { store, cache, secrets, http, config } = context;
    const ofUser = store.forUser('usr_2');
    await store.create('notes', { a: 1 });
    state.end();
    const uses = [
      () => context.app,
      () => context.log('late'),
      () => context.once('evt_1'),
      () => store.get('notes', 'doc_1'),
      () => store.create('notes', { a: 2 }),
      () => ofUser.create('notes', { a: 2 }),
      () => cache.set('a', 1),
      () => secrets.set('token', 'value'),
      () => http.get('https://example.com/'),
      () => config.all(),
    ];
    expect(await Promise.all(uses.map(codeOf))).toEqual(uses.map(() => 'RUN_OVER'));
    expect(await host.service.query('SELECT data FROM documents WHERE app_id = $1', [app.app_id])).toEqual([
      { data: { a: 1 } },
    ]);
  });

  it('reaches the documents of users from a webhook, and of nobody outside of its tenant', async () => {
    const { context } = begin('webhook');
    const made = await context.store.forUser('usr_1').set('notes/n1', { from: 'webhook' });
    expect(made).toMatchObject({ id: 'n1', user_id: 'usr_1', tenant_id: 'acme' });
    expect(await begin('function').context.store.get('notes', 'n1')).toMatchObject({ data: { from: 'webhook' } });
    for (const id of ['__webhook__', 'a/b', '', 'x'.repeat(65)]) {
      expect(await codeOf(() => context.store.forUser(id))).toBe('USER_INVALID');
    }
    expect(await codeOf(() => context.store.set('notes/a/b', {}))).toBe('STORE_ID_INVALID');
    expect(await codeOf(() => begin('function').context.store.forUser('usr_2'))).toBe('CAPABILITY_UNAVAILABLE');
  });

  it('is in a schedule that of any user that it names', async () => {
    const { context } = begin('schedule', { user: identityOf('__system__', 'acme') });
    await context.store.create('digests', { of: 'the app' });
    const asUser = await context.asUser('usr_3');
    await asUser.store.create('digests', { of: 'usr_3' });
    expect(asUser.user).toMatchObject({
      platform_id: 'usr_3',
      tenant_id: 'acme',
      email: null,
      role: null,
      scopes: ['notes:*'],
    });
    expect([asUser.user.hasScope('notes:read'), asUser.user.hasScope('mail:send')]).toEqual([true, false]);
    expect((await context.store.listUsers('digests')).data).toEqual(['usr_3']);
    expect((await context.store.queryAll('digests')).data.map(({ user_id }) => user_id)).toEqual([
      '__system__',
      'usr_3',
    ]);
    expect(await asUser.notify.send({ message: 'Hi' })).toEqual({ sent: true });
    expect(await context.notify.forUser('usr_4').send({ message: 'Ho' })).toEqual({ sent: true });
    const told = host.gateway.notifications
      .slice(-2)
      .map(({ user_id, tenant_id, message }) => ({ user_id, tenant_id, message }));
    expect(told).toEqual([
      { user_id: 'usr_3', tenant_id: 'acme', message: 'Hi' },
      { user_id: 'usr_4', tenant_id: 'acme', message: 'Ho' },
    ]);
    expect(await codeOf(() => context.asUser('__webhook__'))).toBe('USER_INVALID');
    for (const kind of ['function', 'webhook', 'event'] as const) {
      expect(await codeOf(() => begin(kind).context.asUser('usr_3'))).toBe('CAPABILITY_UNAVAILABLE');
    }
  });

  it('verifies the request that a webhook answers', async () => {
    const body = Buffer.from([0xff, 0x00, 0x0d, 0x0a]);
    const signature = createHmac('sha256', 'secret').update(body).digest('hex');
    const options = { scheme: 'github' as const, secret: 'secret' };
    const { context } = begin('webhook', {
      request: { headers: { 'x-hub-signature-256': `sha256=${signature}` }, body },
    });
    expect(context.webhook.verify(options)).toEqual({ valid: true, reason: null });
    expect(await codeOf(() => begin('webhook').context.webhook.verify(options))).toBe('WEBHOOK_UNAVAILABLE');
  });

  it('takes an event up once; a run that failed leaves it to the next', async () => {
    const first = begin('webhook');
    expect(await first.context.once('evt_1')).toBe(true);
    expect(await codeOf(() => begin('webhook').context.once('evt_1'))).toBe('EVENT_IN_PROGRESS');
    await first.state.once.finishEvents(false);
    const second = begin('webhook');
    expect(await second.context.once('evt_1')).toBe(true);
    await second.state.once.finishEvents(true);
    expect(await begin('webhook').context.once('evt_1')).toBe(false);
  });

  it('knows who it runs for, where, and what time it is there', () => {
    const user = userOf(userNamed('usr_1', { attributes: { timezone: 'Asia/Kolkata' }, role: 'editor' }));
    const tenant = { name: 'Acme', is_active: true, features: { beta: true }, isolation: 'shared' as const };
    const { context } = begin('function', { user, tenant });
    expect(context.user).toMatchObject({ platform_id: 'usr_1', tenant_id: 'acme', agency_id: null, is_active: true });
    expect([
      context.user.hasScope('notes:read'),
      context.user.hasScope('mail:send'),
      context.user.hasRole('editor'),
    ]).toEqual([true, false, true]);
    expect(context.tenant).toEqual({ tenant_id: 'acme', ...tenant });
    expect(context.webhookUrl('/in/github')).toBe(`https://panel.example/v1/ext/${app.app_id}/webhook/in/github`);
    const { timezone, utc_offset, now_local, now_utc } = context.time;
    expect({ timezone, utc_offset }).toEqual({ timezone: 'Asia/Kolkata', utc_offset: '+05:30' });
    expect(Math.abs(Date.parse(now_local) - Date.parse(now_utc))).toBeLessThan(1_000);
    expect(begin('webhook').context.time).toMatchObject({ timezone: 'UTC', utc_offset: '+00:00' });
  });

  it('names what is not there', async () => {
    const { context } = begin('function');
    const uses = {
      AI_UNAVAILABLE: () => context.ai.complete('Hello'),
      STORAGE_UNAVAILABLE: () => context.storage.list(),
      BACKGROUND_TASK_UNAVAILABLE: () => context.backgroundTask('f', {}),
      OAUTH_UNAVAILABLE: () => context.oauthAuthorizeUrl('github'),
      TENANT_UNAVAILABLE: () => context.tenant.name,
      CAPABILITY_UNAVAILABLE: () => context.skeleton.get('x'),
    };
    expect(await Promise.all(Object.values(uses).map(codeOf))).toEqual(Object.keys(uses));
  });

  it('reads what its user has, and counts what the app did for them', async () => {
    const { context } = begin('function');
    host.gateway.billing = {
      balance: { balance: 120 },
      subscription: { plan: 'free', status: 'active' },
      limits: { plan: 'free', exceeded: [] },
    };
    const { billing } = context;
    expect(await Promise.all([billing.getBalance(), billing.getSubscription(), billing.checkLimits()])).toEqual([
      120,
      { plan: 'free', status: 'active' },
      { plan: 'free', exceeded: [] },
    ]);
    await billing.trackUsage('pages', 3);
    await billing.trackUsage('pages', 3);
    const [first, second] = host.gateway.usage.slice(-2);
    expect(first).toEqual({
      meter: 'pages',
      quantity: 3,
      key: expect.any(String),
      app_id: app.app_id,
      tenant_id: 'acme',
      user_id: 'usr_1',
    });
    expect(second?.key).not.toBe(first?.key);
  });

  it('counts the same use with the same key, by each attempt at an event', async () => {
    const keys: (string | undefined)[] = [];
    for (const succeeds of [false, true]) {
      const { context, state } = begin('function');
      expect(await context.once('evt_usage')).toBe(true);
      for (const meter of ['pages', 'pages', 'mails']) await context.billing.trackUsage(meter, 1);
      keys.push(...host.gateway.usage.slice(-3).map(({ key }) => key));
      await state.once.finishEvents(succeeds);
    }
    expect(new Set(keys).size).toBe(3);
    expect(keys.slice(3)).toEqual(keys.slice(0, 3));
  });

  it('asks of billing a few things of a run at once, and the others after them', async () => {
    const { context, state } = begin('function');
    let most = 0;
    let underWay = 0;
    const held: (() => void)[] = [];
    const letGo = async (count: number) => {
      await until(() => held.length === count);
      for (const done of held.splice(0)) done();
    };
    const gateway = host.service.app.get(GatewayClient);
    const slow = jest.spyOn(gateway, 'trackUsage').mockImplementation(async () => {
      most = Math.max(most, ++underWay);
      await new Promise<void>((resolve) => held.push(resolve));
      underWay--;
    });
    try {
      const all = Promise.all(Array.from({ length: 50 }, () => context.billing.trackUsage('pages', 1)));
      for (let left = 50; left > 0; left -= 8) await letGo(Math.min(8, left));
      await all;
      expect(slow).toHaveBeenCalledTimes(50);
      expect(most).toBe(8);
      const late = Array.from({ length: 20 }, () => codeOf(() => context.billing.trackUsage('pages', 1)));
      await until(() => held.length === 8);
      state.end();
      await letGo(8);
      expect((await Promise.all(late)).filter((code) => code === 'RUN_OVER')).toHaveLength(12);
      expect(slow).toHaveBeenCalledTimes(58);
    } finally {
      slow.mockRestore();
    }
  });

  it('keeps the cache and the secrets of each identity apart', async () => {
    const [user, webhook] = [begin('function').context, begin('webhook').context];
    await user.cache.set('key', { a: 1 });
    await user.secrets.set('token', 'of-user');
    expect([await user.cache.get('key'), await webhook.cache.get('key')]).toEqual([{ a: 1 }, undefined]);
    expect(await webhook.cache.getOrFetch('key', () => Promise.resolve([2]))).toEqual([2]);
    expect([await user.secrets.get('token'), await webhook.secrets.get('token')]).toEqual(['of-user', null]);
  });

  it('reads nothing while billing cannot be asked, and cannot count then; and asks nothing for nobody', async () => {
    const { billing } = begin('function').context;
    const reads = () => Promise.all([billing.getBalance(), billing.getSubscription(), billing.checkLimits()]);
    host.gateway.billing = { balance: null, subscription: null, limits: null };
    expect(await reads()).toEqual([null, null, null]);
    const before = host.gateway.usage.length;
    host.gateway.acceptsGrant = () => false;
    for (const use of [() => billing.getBalance(), () => billing.trackUsage('pages', 1)])
      expect(await codeOf(use)).toBe('RUN_REFUSED');
    host.gateway.acceptsGrant = () => true;
    const ofNobody = begin('function', { userId: null, user: identityOf('__webhook__', 'acme') }).context.billing;
    for (const use of [
      () => ofNobody.getBalance(),
      () => ofNobody.checkLimits(),
      () => ofNobody.trackUsage('pages', 1),
    ]) {
      expect(await codeOf(use)).toBe('USER_MISSING');
    }
    for (const kind of ['webhook', 'schedule', 'event'] as const) {
      expect(await codeOf(() => begin(kind).context.billing.getBalance())).toBe('CAPABILITY_UNAVAILABLE');
    }
    host.gateway.isAway = true;
    expect(await reads()).toEqual([null, null, null]);
    expect(await codeOf(() => billing.trackUsage('pages', 1))).toBe('BILLING_UNAVAILABLE');
    host.gateway.isAway = false;
    expect(host.gateway.usage).toHaveLength(before);
  });
});
