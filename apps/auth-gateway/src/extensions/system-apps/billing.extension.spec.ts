import { LedgerService, SubscriptionsService } from '@platform/billing';
import type { CallResponse, KeyResponse } from '@platform/contracts';
import { newId } from '@platform/platform';
import { HeldLock, type TestClient } from '@platform/testing';
import { GatewayTest, type TestUser } from '../../testing/gateway-test.js';
import { waitIfMidnightIsNear } from '../../testing/midnight.js';
import { createTenant } from '../../testing/tenants.js';
import { giveCredits } from '../../testing/wallets.js';

let gateway: GatewayTest;
let user: TestUser;
let client: TestClient;
beforeAll(async () => {
  gateway = await GatewayTest.start();
});
beforeEach(waitIfMidnightIsNear); // spending is counted by month
beforeEach(async () => {
  user = await gateway.user();
  client = await gateway.signIn(user);
  // Otherwise a job would give them their plan and its credits during the test.
  await gateway.service.app.get(SubscriptionsService, { strict: false }).ensureFreePlan(user.id);
});
afterAll(() => gateway.stop());

const call = async (name: string, as = client) =>
  (await as.post<CallResponse>('/v1/extensions/billing/call', { user_id: user.id, function: name, params: {} })).body;
const spend = (walletId: string, appId: string, amount: number, shortfall?: 'debt') =>
  gateway.service.app.get(LedgerService).debit(walletId, {
    key: newId('test'),
    amount,
    kind: 'call_charge',
    charged: { appId },
    ...(shortfall && { shortfall }),
  });

describe('the system app billing', () => {
  it('says what the routes say', async () => {
    await giveCredits(gateway, user.id, 70);
    const routes = { get_balance: 'wallet', get_plan: 'subscription', usage: 'usage' };
    for (const [name, path] of Object.entries(routes)) {
      const { body } = await client.get<object>(`/v1/billing/${path}`);
      expect(await call(name)).toMatchObject({ status: 'success', data: body });
    }
    expect((await call('get_balance')).summary).toMatch(/^You have \d+ credits\.$/);
    expect((await call('list_plans')).data).toEqual({ items: (await client.get('/v1/billing/plans')).body });
  });

  it('reports what was spent this month, by app, with what is owed and without what came back', async () => {
    const none = {
      credits: 0,
      by_app: [],
      month_starts_at: expect.stringMatching(/-01T00:00:00.000Z$/),
      resets_at: expect.any(String),
    };
    expect((await call('spending_report')).data).toEqual(none);
    const walletId = await giveCredits(gateway, user.id, 1_000);
    const ledger = gateway.service.app.get(LedgerService);
    await spend(walletId, 'notes', 30);
    await spend(walletId, 'mail', 500);
    await spend(walletId, 'notes', 20);
    const returned = newId('test');
    await ledger.debit(walletId, { key: returned, amount: 100, kind: 'call_charge', charged: { appId: 'notes' } });
    await ledger.reverse(walletId, { key: newId('test'), reverses: returned, amount: 100, kind: 'refund' });
    await ledger.debit(walletId, { key: newId('test'), amount: 9, kind: 'payout' });
    const balance = (await ledger.debit(walletId, { key: newId('test'), amount: 1, kind: 'tier_fee' })).available;
    await spend(walletId, 'maps', balance + 60, 'debt');
    expect(await call('spending_report')).toMatchObject({
      summary: `You have spent ${balance + 610} credits this month.`,
      data: {
        credits: balance + 610,
        by_app: [
          { app_id: 'maps', credits: balance + 60, charges: 1 },
          { app_id: 'mail', credits: 500, charges: 1 },
          { app_id: 'notes', credits: 50, charges: 3 },
        ],
      },
    });
  });

  it('reports nothing of the months before, however much there was', async () => {
    const walletId = await giveCredits(gateway, user.id, 1_000);
    for (let at = 0; at < 9; at++) await spend(walletId, 'notes', 1);
    await gateway.service.query("UPDATE billing_clock SET ahead = '32 days'");
    try {
      expect((await call('spending_report')).data).toMatchObject({ credits: 0, by_app: [] });
      await spend(walletId, 'mail', 7);
      expect((await call('spending_report')).data).toMatchObject({
        credits: 7,
        by_app: [{ app_id: 'mail', credits: 7, charges: 1 }],
      });
    } finally {
      await gateway.service.query("UPDATE billing_clock SET ahead = '0'");
    }
  });

  it('makes one report of a user at a time', async () => {
    const lock = await HeldLock.acquire(gateway.service, 'LOCK TABLE ledger_debts IN ACCESS EXCLUSIVE MODE');
    const first = call('spending_report');
    try {
      await lock.waitForBlocked(1);
      expect(await call('spending_report')).toMatchObject({
        status: 'error',
        error_code: 'RATE_LIMITED',
        retryable: true,
      });
    } finally {
      await lock.release();
    }
    expect([await first, await call('spending_report')]).toMatchObject([{ status: 'success' }, { status: 'success' }]);
  });

  it('needs `billing:read` of an API key, and is of whoever calls', async () => {
    await giveCredits(gateway, user.id, 70);
    const withKey = async (scopes: string) => {
      const { body } = await client.post<KeyResponse>('/v1/keys', { name: scopes, scopes });
      return gateway.client().withHeaders({ 'x-api-key': body.key });
    };
    for (const name of ['get_balance', 'get_plan', 'list_plans', 'usage', 'spending_report']) {
      expect(await call(name, await withKey('billing:call'))).toMatchObject({
        status: 'error',
        error_code: 'PERMISSION_DENIED',
      });
      expect(await call(name, await withKey('billing:call,billing:read'))).toMatchObject({ status: 'success' });
    }
    const { id: tenant_id } = await createTenant(gateway.backend());
    for (const changes of [{}, { tenant_id, role: 'admin' }]) {
      const stranger = await gateway.signIn(await gateway.user(changes));
      expect(
        (await stranger.post('/v1/extensions/billing/call', { user_id: user.id, function: 'get_balance', params: {} }))
          .status,
      ).toBe(403);
    }
  });
});
