import { LedgerService, type Reservation } from '@platform/billing';
import type { KeyResponse, SpendingResponse } from '@platform/contracts';
import { newId } from '@platform/platform';
import { GatewayTest } from '../../testing/gateway-test.js';
import { waitIfMidnightIsNear } from '../../testing/midnight.js';
import { createTenant } from '../../testing/tenants.js';
import { giveCredits } from '../../testing/wallets.js';

let gateway: GatewayTest;
beforeAll(async () => {
  gateway = await GatewayTest.start();
});
beforeEach(waitIfMidnightIsNear); // the month is counted
afterAll(() => gateway.stop());

const PATH = '/v1/me/spending';
const DEFAULTS = { unattended_limit: 0, other_apps_limit: 1_000, unattended_spent: 0, other_apps_spent: 0 };
const hold = async (walletId: string, spendingClass: Reservation['spendingClass'], amount: number) => {
  const held = { id: newId('act'), amount, seconds: 900, ...(spendingClass && { spendingClass }) };
  const { outcome, available } = await gateway.service.app.get(LedgerService).reserve(walletId, held);
  return { id: held.id, outcome, available };
};

describe('what may be spent without the user', () => {
  it('is nothing while nobody is there, and a thousand credits a month by apps that call others', async () => {
    const client = await gateway.signIn(await gateway.user());
    const { status, body } = await client.get<SpendingResponse>(PATH);
    expect([status, body]).toMatchObject([200, DEFAULTS]);
    const [{ starts_at, ends_at }] = (await gateway.service.query(
      `SELECT date_trunc('month', billing_now(), 'UTC') AS starts_at, date_trunc('month', billing_now(), 'UTC') + interval '1 month' AS ends_at`,
    )) as [{ starts_at: Date; ends_at: Date }];
    expect([body.month_starts_at, body.resets_at]).toEqual([starts_at.toISOString(), ends_at.toISOString()]);
  });

  it('is what they say, as far as they say it, until they say otherwise', async () => {
    const { id: tenant_id } = await createTenant(gateway.backend());
    for (const changes of [{}, { tenant_id }]) {
      const client = await gateway.signIn(await gateway.user(changes));
      const put = (body: object) => client.put<SpendingResponse>(PATH, body);
      expect(await put({})).toMatchObject({ status: 200, body: DEFAULTS });
      expect(await put({ unattended_limit: 500 })).toMatchObject({
        status: 200,
        body: { ...DEFAULTS, unattended_limit: 500 },
      });
      expect(await put({ other_apps_limit: null })).toMatchObject({
        body: { unattended_limit: 500, other_apps_limit: null },
      });
      expect(await put({ unattended_limit: null, other_apps_limit: 1_000_000_000_000 })).toMatchObject({
        body: { unattended_limit: null, other_apps_limit: 1_000_000_000_000 },
      });
      expect(await put({ unattended_limit: 0 })).toMatchObject({
        body: { unattended_limit: 0, other_apps_limit: 1_000_000_000_000 },
      });
      expect((await client.get(PATH)).body).toMatchObject({ unattended_limit: 0, other_apps_limit: 1_000_000_000_000 });
    }
    expect((await gateway.actingFor((await gateway.user()).id).get(PATH)).body).toMatchObject(DEFAULTS);
  });

  it('is kept of both that are changed at once', async () => {
    const client = await gateway.signIn(await gateway.user());
    await Promise.all([client.put(PATH, { unattended_limit: 7 }), client.put(PATH, { other_apps_limit: 8 })]);
    expect((await client.get(PATH)).body).toMatchObject({ unattended_limit: 7, other_apps_limit: 8 });
  });

  it('counts where credits are held, and tells what was spent of it', async () => {
    const user = await gateway.user();
    const client = await gateway.signIn(user);
    const walletId = await giveCredits(gateway, user.id, 10_000);
    expect(await hold(walletId, 'unattended', 1)).toMatchObject({ outcome: 'spending_limit', available: 0 });
    expect(await hold(walletId, 'other_apps', 1_001)).toMatchObject({ outcome: 'spending_limit', available: 1_000 });
    await client.put(PATH, { unattended_limit: 50, other_apps_limit: null });
    expect(await hold(walletId, 'unattended', 51)).toMatchObject({ outcome: 'spending_limit', available: 50 });
    const { id } = await hold(walletId, 'unattended', 30);
    expect(await hold(walletId, 'other_apps', 5_000)).toMatchObject({ outcome: 'done' });
    expect(await hold(walletId, undefined, 4_000)).toMatchObject({ outcome: 'done' });
    expect((await client.get(PATH)).body).toMatchObject({ unattended_spent: 30, other_apps_spent: 5_000 });
    await gateway.service.app.get(LedgerService).release(walletId, id);
    expect((await client.put(PATH, { unattended_limit: 10 })).body).toMatchObject({
      unattended_spent: 0,
      unattended_limit: 10,
    });
    expect(await hold(walletId, 'unattended', 11)).toMatchObject({ outcome: 'spending_limit', available: 10 });
  });

  it('is of this month alone', async () => {
    const user = await gateway.user();
    const client = await gateway.signIn(user);
    const walletId = await giveCredits(gateway, user.id, 100);
    await hold(walletId, 'other_apps', 40);
    await gateway.service.query("UPDATE spending SET month = month - interval '1 month' WHERE wallet_id = $1", [
      walletId,
    ]);
    expect((await client.get(PATH)).body).toMatchObject(DEFAULTS);
  });

  it('takes a person: a key reads it with `billing:read`, and a trusted backend acts for one', async () => {
    const user = await gateway.user();
    const client = await gateway.signIn(user);
    const withKey = async (scopes: string) => {
      const { body } = await client.post<KeyResponse>('/v1/keys', { name: scopes, scopes });
      return gateway.client().withHeaders({ 'x-api-key': body.key });
    };
    const reader = await withKey('billing:read');
    expect(await reader.get(PATH)).toMatchObject({ status: 200, body: DEFAULTS });
    expect(await (await withKey('profile:read')).get(PATH)).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope' },
    });
    for (const script of [reader, await withKey('*')]) {
      expect(await script.put(PATH, { unattended_limit: 5 })).toMatchObject({
        status: 403,
        body: { code: 'session_required' },
      });
    }
    for (const method of ['get', 'put'] as const) expect((await gateway.client()[method](PATH, {})).status).toBe(401);
    expect(await gateway.actingFor(user.id).put(PATH, { unattended_limit: 5 })).toMatchObject({
      body: { unattended_limit: 5 },
    });
    const other = await gateway.user();
    const named = { status: 403, body: { code: 'other_user' } };
    expect(await client.put(PATH, { unattended_limit: 9, user_id: other.id })).toMatchObject(named);
    expect(await client.get(`${PATH}?user_id=${other.id}`)).toMatchObject(named);
    expect((await gateway.actingFor(other.id).get(PATH)).body).toMatchObject(DEFAULTS);
  });

  it.each([-5, 0.5, '1e3', '5', Number.NaN, 2 ** 53, 1e12 + 1, true, [1]])('is not %p', async (limit) => {
    const client = await gateway.signIn(await gateway.user());
    for (const name of ['unattended_limit', 'other_apps_limit']) {
      // JSON has no NaN, and null would mean any amount.
      const answer = await client.put(PATH, { [name]: Number.isNaN(limit) ? 'NaN' : limit });
      expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', name] }] } });
    }
    expect((await client.put(PATH, { limit: 5 })).status).toBe(422);
    expect((await client.get(PATH)).body).toMatchObject(DEFAULTS);
  });

  it('is in the audit log when it changes, and not otherwise', async () => {
    const user = await gateway.user();
    const client = await gateway.signIn(user);
    for (const body of [
      {},
      { unattended_limit: 0 },
      { unattended_limit: 20 },
      { unattended_limit: 20 },
      { other_apps_limit: null },
    ]) {
      await client.put(PATH, body);
    }
    const entries = await gateway.service.query(
      `SELECT actor_id, before_state, after_state FROM gateway_audit.audit_entries
       WHERE target_id = $1 AND action = 'user.spending_changed' ORDER BY created_at, id`,
      [user.id],
    );
    const limits = (unattended_limit: number, other_apps_limit: number | null) => ({
      unattended_limit,
      other_apps_limit,
    });
    expect(entries).toEqual([
      { actor_id: user.id, before_state: limits(0, 1_000), after_state: limits(20, 1_000) },
      { actor_id: user.id, before_state: limits(20, 1_000), after_state: limits(20, null) },
    ]);
  });
});
