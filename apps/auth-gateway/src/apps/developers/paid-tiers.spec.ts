import type {
  AppResponse,
  DeveloperProfileResponse,
  DeveloperRegistrationResponse,
  KeyResponse,
  UpdateTierResponse,
} from '@platform/contracts';
import { until, type TestClient } from '@platform/testing';
import { givePlan } from '../../testing/billing.js';
import { createDraftApp, auditEntriesOf, newDeveloper } from '../../testing/developers.js';
import { GatewayTest } from '../../testing/gateway-test.js';
import { expectNothingStored } from '../../testing/stored-rows.js';
import { giveCredits } from '../../testing/wallets.js';
import { TierRenewalsWorker } from './tier-renewals.worker.js';

let gateway: GatewayTest;
let admin: TestClient;
beforeAll(async () => {
  gateway = await GatewayTest.start();
  admin = await gateway.signIn(await gateway.user({ role: 'admin' }));
});
afterEach(() => setClock('0'));
afterAll(() => gateway.stop());

const TIER = '/v1/developer/tier';
const REGISTER = '/v1/developer/register';
type Answer = UpdateTierResponse & { code: string; price: number; balance: number };

const setTier = (client: TestClient, tier: string) => client.put<Answer>(TIER, { tier });
const profileOf = async (client: TestClient) =>
  (await client.get<DeveloperProfileResponse>('/v1/developer/profile')).body;
const setClock = (ahead: string) => gateway.service.query('UPDATE billing_clock SET ahead = $1', [ahead]);
const renewAll = () => gateway.service.app.get(TierRenewalsWorker).renewDueTiers();
const balanceOf = async (userId: string) => {
  const [row] = await gateway.service.query<{ balance: number }>(
    "SELECT balance::int FROM wallets WHERE user_id = $1 AND kind = 'user'",
    [userId],
  );
  return row?.balance ?? 0;
};
const feesOf = async (userId: string) => {
  const rows = await gateway.service.query<{ fee: string }>(
    `SELECT idem_key || ' ' || e.amount AS fee FROM ledger_entries e JOIN wallets w ON w.id = e.wallet_id
     WHERE w.user_id = $1 AND e.kind = 'tier_fee' AND e.counter = 'fee' ORDER BY e.seq`,
    [userId],
  );
  return rows.map(({ fee }) => fee.replace(userId, '{user}'));
};
const daysUntil = (date: unknown): number => Math.round((Date.parse(date as string) - Date.now()) / 86_400_000);
const YEAR = expect.stringMatching(/^36[56]$/) as unknown;

/** A user on a plan without its credits, which would be spent first. */
async function payer(userId: string, credits: number): Promise<void> {
  await givePlan(gateway, userId, 'starter');
  if (credits) await giveCredits(gateway, userId, credits);
}

async function developerWith(credits: number, tier: 'explorer' | 'indie' = 'explorer') {
  const developer = await newDeveloper(gateway, tier);
  await payer(developer.user.id, credits);
  return { ...developer, id: developer.user.id };
}

describe('a higher tier', () => {
  it('is paid for a year from the wallet, once', async () => {
    const { id, client } = await developerWith(10_000);
    const { status, body } = await setTier(client, 'indie');
    expect([status, body]).toEqual([200, { tier: 'indie', expires_at: expect.any(String) }]);
    expect(String(daysUntil(body.expires_at))).toEqual(YEAR);
    expect(await profileOf(client)).toMatchObject({ tier: 'indie', tier_expires_at: body.expires_at });
    expect(await setTier(client, 'indie')).toMatchObject({ status: 200, body });
    expect([await balanceOf(id), await feesOf(id)]).toEqual([1_000, ['tier:{user}:1 -9000']]);
    expect(await auditEntriesOf(gateway, id)).toMatchObject([
      {
        action: 'developer.tier_changed',
        before_state: { tier: 'explorer', expires_at: null },
        after_state: { tier: 'indie', expires_at: body.expires_at },
        metadata: { credits: 9_000, term: 1 },
      },
    ]);
  });

  it('ends a year later on the same day in UTC, also where the clock of the database server shows the day after', async () => {
    const { client } = await developerWith(40_000);
    const [row] = await gateway.service.query<{ ahead: string }>(
      "SELECT ('2031-02-28T12:00:00Z'::timestamptz - now())::text AS ahead",
    );
    await setClock(row?.ahead ?? '');
    const { body } = await setTier(client, 'indie');
    expect(String(body.expires_at).slice(0, 13)).toBe('2032-02-28T12');
  });

  it('costs what it costs, whatever was paid before, and begins a year of its own', async () => {
    const { id, client } = await developerWith(40_000);
    await setTier(client, 'indie');
    await setClock('100 days');
    const { body } = await setTier(client, 'studio');
    expect(daysUntil(body.expires_at)).toBeGreaterThan(460);
    expect([await balanceOf(id), await feesOf(id)]).toEqual([2_000, ['tier:{user}:1 -9000', 'tier:{user}:2 -29000']]);
  });

  it('is refused to a wallet that cannot pay, with what it costs', async () => {
    const { id, client } = await developerWith(8_999);
    await expectNothingStored(gateway.service, async () => {
      expect(await setTier(client, 'indie')).toMatchObject({
        status: 402,
        body: { code: 'wallet.insufficient', price: 9_000, balance: 8_999 },
      });
      expect(await setTier(client, 'studio')).toMatchObject({ status: 402, body: { price: 29_000, balance: 8_999 } });
      expect(await setTier(client, 'partner')).toMatchObject({
        status: 403,
        body: { code: 'developer.tier_by_administrator' },
      });
    });
    await gateway.service.query("SELECT ledger_debit(id, $2) FROM wallets WHERE user_id = $1 AND kind = 'user'", [
      id,
      JSON.stringify([
        { key: `test:debt:${id}`, amount: 10_000, kind: 'action_charge', counter: 'usage', shortfall: 'debt' },
      ]),
    ]);
    expect(await setTier(client, 'indie')).toMatchObject({ status: 402, body: { code: 'wallet.in_debt' } });
    expect(await setTier((await developerWith(0)).client, 'indie')).toMatchObject({
      status: 402,
      body: { balance: 0 },
    });
  });

  it('is paid once by 50 requests at once', async () => {
    const { id, client } = await developerWith(1_000_000);
    const answers = await Promise.all(Array.from({ length: 50 }, () => setTier(client, 'studio')));
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    expect([answers[0]?.status, await balanceOf(id)]).toEqual([200, 971_000]);
  });

  it('is taken by who is signed in, and a backend for them, with no API key', async () => {
    const { user, id } = await developerWith(50_000);
    const client = await gateway.signIn(user);
    const { body } = await client.post<KeyResponse>('/v1/keys', { name: 'all', scopes: '*' });
    const withKey = gateway.client().withToken(body.key);
    for (const tier of ['indie', 'explorer']) {
      expect(await setTier(withKey, tier)).toMatchObject({ status: 403, body: { code: 'session_required' } });
    }
    expect((await setTier(client, 'indie')).status).toBe(200);
    expect(await balanceOf(id)).toBe(41_000);
  });

  it('leaves the share of apps that there are', async () => {
    const developer = await developerWith(10_000);
    const before = await createDraftApp(developer);
    await setTier(developer.client, 'indie');
    const after = await createDraftApp(developer);
    const splitOf = async (appId: string) =>
      (await developer.client.get<AppResponse>(`/v1/developer/apps/${appId}`)).body.revenue_split_dev;
    expect([await splitOf(before.app_id), await splitOf(after.app_id)]).toEqual([70, 80]);
    await setTier(developer.client, 'explorer');
    expect([await splitOf(before.app_id), await splitOf(after.app_id)]).toEqual([70, 80]);
  });
});

describe('a lower tier', () => {
  it('is free and at once, and lasts for the rest of the year that was paid', async () => {
    const { id, client } = await developerWith(100_000);
    const { body: paid } = await setTier(client, 'studio');
    expect(await setTier(client, 'indie')).toMatchObject({
      status: 200,
      body: { tier: 'indie', expires_at: paid.expires_at },
    });
    expect(await setTier(client, 'explorer')).toMatchObject({
      status: 200,
      body: { tier: 'explorer', expires_at: null },
    });
    expect(await balanceOf(id)).toBe(71_000);
    // The credit for the rest of the first year is lost.
    expect((await setTier(client, 'studio')).status).toBe(200);
    expect([await balanceOf(id), await feesOf(id)]).toEqual([42_000, ['tier:{user}:1 -29000', 'tier:{user}:2 -29000']]);
  });
});

describe('a tier that was given', () => {
  it('does not end, and takes the place of one that was paid', async () => {
    const { id, client } = await developerWith(9_000);
    await setTier(client, 'indie');
    expect((await admin.post('/v1/admin/developer/tier', { user_id: id, tier: 'indie' })).status).toBe(200);
    expect(await profileOf(client)).toMatchObject({ tier: 'indie', tier_expires_at: null });
    await setClock('10 years');
    await renewAll();
    expect(await profileOf(client)).toMatchObject({ tier: 'indie', tier_expires_at: null });
    expect((await auditEntriesOf(gateway, id)).at(-1)).toMatchObject({
      action: 'developer.tier_changed',
      after_state: { tier: 'indie', expires_at: null },
    });
  });
});

describe('the end of a year', () => {
  it('is the beginning of the next, where the wallet can pay it', async () => {
    const { id, client } = await developerWith(20_000);
    const { body: first } = await setTier(client, 'indie');
    await setClock('364 days');
    await renewAll();
    expect(await feesOf(id)).toHaveLength(1);
    await setClock('367 days');
    await Promise.all(Array.from({ length: 5 }, renewAll));
    const { tier, tier_expires_at } = await profileOf(client);
    expect([tier, new Date(tier_expires_at as unknown as string).getUTCMonth()]).toEqual([
      'indie',
      new Date(first.expires_at as unknown as string).getUTCMonth(),
    ]);
    expect(daysUntil(tier_expires_at) - daysUntil(first.expires_at)).toBeGreaterThanOrEqual(365);
    expect([await balanceOf(id), await feesOf(id)]).toEqual([2_000, ['tier:{user}:1 -9000', 'tier:{user}:2 -9000']]);
    expect((await auditEntriesOf(gateway, id)).at(-1)).toMatchObject({
      action: 'developer.tier_renewed',
      metadata: { credits: 9_000, term: 2 },
    });
  });

  it('ends the tier where the wallet cannot pay, which the audit log tells', async () => {
    const { id, client } = await developerWith(10_000);
    await setTier(client, 'indie');
    await setClock('367 days');
    await renewAll();
    await renewAll();
    expect(await profileOf(client)).toMatchObject({ tier: 'explorer', tier_expires_at: null });
    expect([await balanceOf(id), await feesOf(id)]).toEqual([1_000, ['tier:{user}:1 -9000']]);
    expect((await auditEntriesOf(gateway, id)).slice(1)).toMatchObject([
      {
        action: 'developer.tier_changed',
        actor_id: 'platform',
        before_state: { tier: 'indie' },
        after_state: { tier: 'explorer', expires_at: null },
        metadata: { not_renewed: 'insufficient' },
      },
    ]);
  });

  it('ends the tier of who is deactivated, and takes nothing', async () => {
    const { id, client } = await developerWith(100_000);
    await setTier(client, 'indie');
    await gateway.service.query('UPDATE users SET is_active = false WHERE id = $1', [id]);
    await setClock('367 days');
    await renewAll();
    expect(await balanceOf(id)).toBe(91_000);
    expect(await gateway.service.query('SELECT tier FROM developers WHERE user_id = $1', [id])).toEqual([
      { tier: 'explorer' },
    ]);
  });

  it('pays one year where nobody looked for several', async () => {
    const { id, client } = await developerWith(100_000);
    await setTier(client, 'indie');
    await setClock('1200 days');
    await renewAll();
    await renewAll();
    expect(await feesOf(id)).toHaveLength(2);
    expect(daysUntil((await profileOf(client)).tier_expires_at)).toBeGreaterThan(1_500);
  });

  it('is nothing to who is erased', async () => {
    const { id, client } = await developerWith(100_000);
    await setTier(client, 'indie');
    expect((await admin.delete(`/v1/users/${id}?permanent=true`)).status).toBe(200);
    await setClock('367 days');
    await renewAll();
    expect(await feesOf(id)).toHaveLength(1);
    expect(await gateway.service.query('SELECT FROM developers WHERE tier_expires_at <= billing_now()')).toEqual([]);
  });

  it('is seen by itself', async () => {
    const { client } = await developerWith(9_000);
    await setTier(client, 'indie');
    await gateway.service.query(
      "UPDATE developers SET tier_expires_at = now() - interval '1 minute' WHERE tier_expires_at IS NOT NULL",
    );
    await gateway.runScheduledJob('renew-tiers');
    await until(async () => (await profileOf(client)).tier === 'explorer');
  });
});

describe('registering with a tier', () => {
  const register = (client: TestClient, body: object) =>
    client.post<DeveloperRegistrationResponse & Answer>(REGISTER, body);

  it('pays a year with it', async () => {
    const { id } = await gateway.user();
    await payer(id, 30_000);
    const client = gateway.actingFor(id);
    const { status, body } = await register(client, { display_name: 'Ada', tier: 'studio' });
    expect([status, body]).toMatchObject([
      200,
      { tier: 'studio', tier_expires_at: expect.any(String), nickname: expect.any(String) },
    ]);
    expect(await profileOf(client)).toMatchObject({ tier: 'studio', tier_expires_at: body.tier_expires_at });
    expect([await balanceOf(id), await feesOf(id)]).toEqual([1_000, ['tier:{user}:1 -29000']]);
    expect(await register(client, { display_name: 'Ada', tier: 'studio' })).toMatchObject({ status: 400 });
    expect(await balanceOf(id)).toBe(1_000);
  });

  it('registers nobody who cannot pay', async () => {
    const { id } = await gateway.user();
    await payer(id, 8_999);
    await expectNothingStored(gateway.service, async () => {
      expect(await register(gateway.actingFor(id), { nickname: 'rich-ada', tier: 'indie' })).toMatchObject({
        status: 402,
        body: { code: 'wallet.insufficient', price: 9_000, balance: 8_999 },
      });
    });
  });

  it('pays once for a nickname that is taken, and for 20 requests at once', async () => {
    const { id } = await gateway.user();
    await payer(id, 100_000);
    await gateway.user({ nickname: 'popular-one' });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => register(gateway.actingFor(id), { display_name: 'Popular One', tier: 'indie' })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await balanceOf(id)).toBe(91_000);
  });

  it('that costs credits is for nobody with an API key, nor for apps; one that is free is', async () => {
    const user = await gateway.user();
    await payer(user.id, 100_000);
    const client = await gateway.signIn(user);
    const { body } = await client.post<KeyResponse>('/v1/keys', { name: 'all', scopes: '*' });
    const withKey = gateway.client().withToken(body.key);
    expect(await register(withKey, { display_name: 'Ada', tier: 'indie' })).toMatchObject({
      status: 403,
      body: { code: 'session_required' },
    });
    const call = { user_id: user.id, function: 'register_developer', params: { display_name: 'Ada', tier: 'indie' } };
    const answer = await withKey.post<{ status: string }>('/v1/extensions/developer/call', call);
    expect(answer.body.status).not.toBe('success');
    expect(await balanceOf(user.id)).toBe(100_000);
    expect((await register(withKey, { display_name: 'Ada', tier: 'explorer' })).status).toBe(200);
  });

  it('that costs credits is taken by the route alone: a function that registers does not ask before it spends', async () => {
    const user = await gateway.user();
    await payer(user.id, 100_000);
    const body = { user_id: user.id, function: 'register_developer', params: { display_name: 'Ada', tier: 'studio' } };
    for (const path of ['operate', 'call']) {
      const answer = await gateway
        .actingFor(user.id)
        .post<{ result?: object }>(`/v1/extensions/developer/${path}`, body);
      expect(JSON.stringify(answer.body)).toContain('PUT /v1/developer/tier');
    }
    expect(await balanceOf(user.id)).toBe(100_000);
    expect(await gateway.service.query('SELECT 1 FROM developers WHERE user_id = $1', [user.id])).toEqual([]);
  });
});
