import { setTimeout } from 'node:timers/promises';
import { MeterCountsRepository, SubscriptionsService, WalletsRepository } from '@platform/billing';
import {
  MAX_APP_METERS,
  type KeyResponse,
  type LimitsResponse,
  type RunBalanceResponse,
  type SubscriptionResponse,
} from '@platform/contracts';
import { newUuid } from '@platform/platform';
import { HeldLock, TEST_SERVICE_TOKEN, until, type TestClient } from '@platform/testing';
import { DataSource } from 'typeorm';
import { TenantData } from '@platform/persistence';
import { createApp, installApp } from '../../testing/apps.js';
import { GatewayTest, type TestUser } from '../../testing/gateway-test.js';
import { createRunGrant } from '../../testing/run-grants.js';
import { createTenant } from '../../testing/tenants.js';
import { giveCredits } from '../../testing/wallets.js';
import type { RunGrant } from '../run-grants/run-grant.js';
import { RunBillingService } from './run-billing.service.js';

let gateway: GatewayTest;
let asHost: TestClient;
let user: TestUser;
let client: TestClient;
let appId: string;
beforeAll(async () => {
  gateway = await GatewayTest.start();
  asHost = gateway.backend();
  appId = (await createApp(gateway, { document: {} })).app_id;
});
beforeEach(async () => {
  user = await gateway.user();
  client = await gateway.signIn(user);
  await installApp(gateway, appId, user.id);
  // Otherwise a job would give them their plan and its credits during the test.
  await gateway.service.app.get(SubscriptionsService, { strict: false }).ensureFreePlan(user.id);
});
afterAll(() => gateway.stop());

const path = (what: string) => `/v1/internal/billing/${what}`;
const grant = (changes: Partial<RunGrant> = {}, of = appId) =>
  createRunGrant(gateway.service, of, { userId: user.id, ...changes });
const ask = async <Answer>(what: string, changes: Partial<RunGrant> = {}) =>
  asHost.post<Answer>(path(what), { grant: await grant(changes) });
const track = async (meter: string, quantity: number, more: object = {}, of = appId) =>
  asHost.post(path('usage'), { grant: await grant({}, of), meter, quantity, ...more });
/** Another app of the user. */
const otherApp = async () => {
  const { app_id } = await createApp(gateway, { document: {} });
  await installApp(gateway, app_id, user.id);
  return app_id;
};
const used = async () => (await client.get<LimitsResponse>('/v1/billing/usage')).body.usage;

describe('what a run reads of its user', () => {
  it('is what the user reads', async () => {
    await giveCredits(gateway, user.id, 70);
    const { body: wallet } = await client.get<RunBalanceResponse>('/v1/billing/wallet');
    expect(await ask('balance')).toMatchObject({ status: 200, body: { balance: wallet.balance } });
    expect((await ask<SubscriptionResponse>('subscription')).body).toEqual(
      (await client.get('/v1/billing/subscription')).body,
    );
    expect((await ask<LimitsResponse>('limits')).body).toEqual((await client.get('/v1/billing/usage')).body);
  });

  it('is of its own tenant, and of nobody else', async () => {
    const { id: tenant_id } = await createTenant(asHost);
    const theirs = await gateway.user({ tenant_id });
    await giveCredits(gateway, theirs.id, 5_000);
    await installApp(gateway, appId, theirs.id);
    const state = await gateway.service.app
      .get(WalletsRepository)
      .getWalletState(new TenantData(gateway.service.app.get(DataSource).manager, tenant_id), theirs.id);
    expect((await ask('balance', { userId: theirs.id, tenantId: tenant_id })).body).toEqual({
      balance: state.available,
    });
    expect(await ask('balance', { userId: theirs.id })).toMatchObject({
      status: 403,
      body: { code: 'run_grant.refused' },
    });
  });

  it('has no meters of other apps', async () => {
    const other = await otherApp();
    await track('pages', 3);
    await track('pages', 4, {}, other);
    const { usage } = (await ask<LimitsResponse>('limits')).body;
    expect(usage).toMatchObject({ [`app:${appId}:pages`]: 3, tool_calls: expect.any(Number) });
    expect(usage).not.toHaveProperty(`app:${other}:pages`);
  });

  it('is nothing for a run of no user, or with an API key that may not read it', async () => {
    for (const what of ['balance', 'subscription', 'limits']) {
      expect(await ask(what, { userId: null })).toMatchObject({ status: 403, body: { code: 'run_grant.no_user' } });
      const { body: key } = await client.post<KeyResponse>('/v1/keys', { name: what, scopes: 'extensions:call' });
      const narrow = { narrowing: ['extensions:call'], key: { id: key.id, scopes: ['extensions:call'] } };
      expect(await ask(what, narrow)).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
    }
  });
});

describe('what an app did for its user', () => {
  it('is counted in the period of their plan, and costs nothing', async () => {
    await giveCredits(gateway, user.id, 70);
    const before = (await client.get('/v1/billing/wallet')).body;
    expect((await track('pages', 3)).status).toBe(204);
    expect((await track('pages', 4)).status).toBe(204);
    expect((await track('ocr.pages-2_x', 1_000_000_000_000)).status).toBe(204);
    expect(await used()).toMatchObject({
      [`app:${appId}:pages`]: 7,
      [`app:${appId}:ocr.pages-2_x`]: 1_000_000_000_000,
    });
    expect((await client.get('/v1/billing/wallet')).body).toEqual(before);
  });

  it('is counted once, however often and at once the host asks', async () => {
    const key = newUuid();
    const answers = await Promise.all(Array.from({ length: 8 }, () => track('pages', 5, { key })));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(204));
    await track('pages', 1, { key: newUuid() });
    const other = await otherApp();
    await track('pages', 2, { key }, other);
    expect(await used()).toMatchObject({ [`app:${appId}:pages`]: 6, [`app:${other}:pages`]: 2 });
  });

  it('is counted exactly, of 300 at once, while others are answered', async () => {
    const other = await gateway.signIn(await gateway.user());
    const text = await grant();
    const keys = Array.from({ length: 100 }, () => newUuid());
    // The lock makes both requests wait, as when another process writes the counters.
    await gateway.service.app.get(MeterCountsRepository).addUse(user.id, `app:${appId}:pages`, 1);
    const { uses } = gateway.service.app.get(RunBillingService, { strict: false });
    const limit = jest.replaceProperty(uses, 'longestWaitMs', 2 ** 31 - 1);
    const busy = await HeldLock.acquire(gateway.service, 'SELECT FROM usage_counters WHERE user_id = $1 FOR UPDATE', [
      user.id,
    ]);
    const pending = Promise.all(
      Array.from({ length: 300 }, (_, at) =>
        asHost.post(path('usage'), { grant: text, meter: 'pages', quantity: 2, key: keys[at % keys.length] }),
      ),
    );
    try {
      const inTime = new AbortController();
      const wallets = Array.from({ length: 20 }, () => other.get('/v1/billing/wallet'));
      const late = setTimeout(60_000, 'late', { signal: inTime.signal }).catch(() => 'stopped');
      expect(await Promise.race([Promise.all(wallets).then((all) => all.map(({ status }) => status)), late])).toEqual(
        Array(20).fill(200),
      );
      inTime.abort();
    } finally {
      await busy.release();
    }
    const answers = await pending.finally(() => limit.restore());
    expect(answers.map(({ status }) => status)).toEqual(Array(300).fill(204));
    expect(await used()).toMatchObject({ [`app:${appId}:pages`]: 201 });
  });

  describe('while somebody else holds their row and their counter', () => {
    const FOREVER_MS = 2 ** 31 - 1;
    const uses = () => gateway.service.app.get(RunBillingService, { strict: false }).uses;
    let usual: number;
    beforeEach(() => {
      usual = uses().longestWaitMs;
    });
    afterEach(() => {
      uses().longestWaitMs = usual;
    });

    /** Locks the user and the counters, as an account deletion does. */
    const hold = (userId: string) =>
      HeldLock.acquire(
        gateway.service,
        `WITH u AS MATERIALIZED (SELECT id FROM users WHERE id = $1 FOR UPDATE), c AS MATERIALIZED (SELECT 1 FROM usage_counters WHERE user_id = $1 FOR UPDATE)
         SELECT (SELECT count(*) FROM u), (SELECT count(*) FROM c)`,
        [userId],
      );
    const others = async (count: number) => {
      const them = await Promise.all(Array.from({ length: count }, () => gateway.user()));
      for (const { id } of them) await installApp(gateway, appId, id);
      return Promise.all(them.map(({ id }) => grant({ userId: id })));
    };
    const send = (text: string, meter: string, key = newUuid()) =>
      asHost.post(path('usage'), { grant: text, meter, quantity: 1, key });

    it('uses of others are counted at once, and theirs when it ends', async () => {
      uses().longestWaitMs = FOREVER_MS;
      await track('pages', 1);
      const text = await grant();
      const grants = await others(3);
      const held = await hold(user.id);
      const key = newUuid();
      const pending = ['pages', 'pages', 'words'].map((meter) => send(text, meter));
      pending.push(send(text, 'pages', key));
      await held.waitForBlocked(1);
      for (let round = 0; round < 3; round++) {
        const answers = await Promise.all(
          grants.flatMap((theirs) => [send(theirs, 'pages'), send(theirs, `words-${round}`)]),
        );
        expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(204));
        pending.push(send(text, 'pages', key));
      }
      await held.release();
      expect((await Promise.all(pending)).map(({ status }) => status)).toEqual(Array(7).fill(204));
      expect(await used()).toMatchObject({ [`app:${appId}:pages`]: 4, [`app:${appId}:words`]: 1 });
    });

    it('what waited too long is a 503, and counts once when it is told again', async () => {
      uses().longestWaitMs = 50;
      await track('pages', 1);
      const keys = { pages: newUuid(), words: newUuid() };
      const text = await grant();
      const held = await hold(user.id);
      const told = () => Promise.all([send(text, 'pages', keys.pages), send(text, 'words', keys.words)]);
      for (const answer of await told()) expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } });
      await held.release();
      uses().longestWaitMs = FOREVER_MS;
      for (const answer of [...(await told()), ...(await told())]) expect(answer.status).toBe(204);
      expect(await used()).toMatchObject({ [`app:${appId}:pages`]: 2, [`app:${appId}:words`]: 1 });
    });

    it('who is erased meanwhile is not counted, and nothing is left of them', async () => {
      uses().longestWaitMs = FOREVER_MS;
      await track('pages', 1);
      const text = await grant();
      const held = await hold(user.id);
      const add = jest.spyOn(uses(), 'add');
      const pending = [send(text, 'pages'), send(text, 'words')];
      try {
        // Both grants were checked before.
        await until(() => add.mock.calls.length === 2);
      } finally {
        add.mockRestore();
      }
      await held.waitForBlocked(1);
      await held.runStatement('DELETE FROM usage_counters WHERE user_id = $1', [user.id]);
      await held.runStatement('UPDATE users SET erased_at = now() WHERE id = $1', [user.id]);
      await held.release();
      // 204, like for a user deleted a moment later.
      expect((await Promise.all(pending)).map(({ status }) => status)).toEqual([204, 204]);
      expect(await gateway.service.query('SELECT meter FROM usage_counters WHERE user_id = $1', [user.id])).toEqual([]);
    });
  });

  it('is refused by no limit', async () => {
    await gateway.service.app.get(MeterCountsRepository).addUse(user.id, 'tool_calls', 1_000_000);
    expect((await track('pages', 1)).status).toBe(204);
  });

  it('has a bounded number of meters, also when many are new at once', async () => {
    const names = Array.from({ length: MAX_APP_METERS + 5 }, (_, at) => `meter-${at}`);
    const answers = await Promise.all(names.map((name) => track(name, 1)));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(MAX_APP_METERS);
    const refused = answers.find(({ status }) => status !== 204);
    expect(refused).toMatchObject({ status: 409, body: { code: 'usage.too_many_meters' } });
    const known = Object.keys(await used()).filter((meter) => meter.startsWith(`app:${appId}:`));
    expect(known).toHaveLength(MAX_APP_METERS);
    expect((await track(known[0]?.split(':')[2] ?? '', 1)).status).toBe(204);
    const other = await otherApp();
    expect((await track('pages', 1, {}, other)).status).toBe(204);
  });

  it('has as many meters in two processes, and what was refused is not taken for counted', async () => {
    const second = await gateway.startSecondProcess();
    const there = second.client().withHeaders({ 'X-Service-Token': TEST_SERVICE_TOKEN });
    const text = await grant();
    const uses = Array.from({ length: 2 * MAX_APP_METERS }, (_, at) => ({
      grant: text,
      meter: `meter-${at}`,
      quantity: 1,
      key: newUuid(),
    }));
    const count = (at: number) => (at % 2 ? there : asHost).post(path('usage'), uses[at]);
    const answers = await Promise.all(uses.map((_, at) => count(at)));
    expect(answers.filter((answer) => answer.status === 204)).toHaveLength(MAX_APP_METERS);
    const again = await Promise.all(uses.map((_, at) => count(at)));
    expect(again.map((answer) => answer.status)).toEqual(answers.map((answer) => answer.status));
    const meters = Object.entries(await used()).filter(([meter]) => meter.startsWith(`app:${appId}:`));
    expect(meters.map(([, times]) => times)).toEqual(Array(MAX_APP_METERS).fill(1));
    await second.stop();
  });

  it.each([
    ['Pages', 1],
    ['', 1],
    ['a'.repeat(65), 1],
    ['a:b', 1],
    ['pages', 0],
    ['pages', -5],
    ['pages', 0.5],
    ['pages', '1e3'],
    ['pages', 2 ** 53],
    ['pages', 1e12 + 1],
  ])('is no %p of %p', async (meter, quantity) => {
    expect((await track(meter, quantity as number)).status).toBe(422);
    expect(Object.keys(await used()).filter((name) => name.startsWith('app:'))).toEqual([]);
  });

  it('is told by the host alone, with a grant of a user that counts', async () => {
    const body = { grant: await grant(), meter: 'pages', quantity: 1 };
    for (const stranger of [client, gateway.client()])
      expect((await stranger.post(path('usage'), body)).status).toBe(401);
    expect((await asHost.post(path('usage'), { ...body, user_id: user.id })).status).toBe(422);
    expect((await asHost.post(path('usage'), { ...body, grant: await grant({ userId: null }) })).body).toMatchObject({
      code: 'run_grant.no_user',
    });
    expect((await asHost.post(path('usage'), { ...body, grant: await grant({ expiresAt: 1 }) })).body).toMatchObject({
      code: 'run_grant.expired',
    });
    expect(Object.keys(await used()).filter((name) => name.startsWith('app:'))).toEqual([]);
  });
});
