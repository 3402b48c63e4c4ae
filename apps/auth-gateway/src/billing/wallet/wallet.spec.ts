import { LedgerService } from '@platform/billing';
import type { KeyResponse, LedgerEntry, WalletResponse } from '@platform/contracts';
import type { TestClient } from '@platform/testing';
import { GatewayTest } from '../../testing/gateway-test.js';
import { createTenant } from '../../testing/tenants.js';
import { giveCredits } from '../../testing/wallets.js';

let gateway: GatewayTest;
beforeAll(async () => {
  gateway = await GatewayTest.start();
});
afterAll(() => gateway.stop());

const historyOf = async (client: TestClient, query = ''): Promise<LedgerEntry[]> =>
  (await client.get<LedgerEntry[]>(`/v1/billing/wallet/history${query}`)).body;

describe('a wallet', () => {
  it('that there is not yet is an empty one', async () => {
    const client = gateway.actingFor((await gateway.user()).id);
    const body = {
      balance: 0,
      currency: 'credits',
      updated_at: null,
      plan: 'free',
      status: 'active',
      cap: 1_000,
      included_tokens: 1_000,
      held: 0,
      debt: 0,
    };
    expect(await client.get('/v1/billing/wallet')).toMatchObject({ status: 200, body });
    expect(await historyOf(client)).toEqual([]);
  });

  it('has what came in, without what is held', async () => {
    const user = await gateway.user();
    const walletId = await giveCredits(gateway, user.id, 100);
    await gateway.service.app.get(LedgerService).reserve(walletId, { id: 'act_of_wallet', amount: 30, seconds: 900 });
    const client = await gateway.signIn(user);
    const { body } = await client.get<WalletResponse>('/v1/billing/wallet');
    expect(body).toMatchObject({ balance: 70, held: 30, debt: 0, updated_at: expect.any(String) });
    expect((await client.get('/v1/billing/balance')).body).toEqual(body);
  });

  it('is that of whoever calls, by whatever credential', async () => {
    const user = await gateway.user();
    await giveCredits(gateway, user.id, 7);
    const session = await gateway.signIn(user);
    const keyOf = async (scopes: string) =>
      (await session.post<KeyResponse>('/v1/keys', { name: scopes, scopes })).body.key;
    const reader = gateway.client().withHeaders({ 'x-api-key': await keyOf('billing:read') });
    for (const client of [session, reader, gateway.actingFor(user.id)]) {
      expect((await client.get('/v1/billing/wallet')).body).toMatchObject({ balance: 7 });
      expect(await historyOf(client)).toHaveLength(1);
    }
    const other = gateway.client().withHeaders({ 'x-api-key': await keyOf('profile:read') });
    const refused = { status: 403, body: { code: 'insufficient_scope' } };
    for (const path of ['wallet', 'balance', 'wallet/history']) {
      expect(await other.get(`/v1/billing/${path}`)).toMatchObject(refused);
      expect((await gateway.client().get(`/v1/billing/${path}`)).status).toBe(401);
    }
  });

  it('is nobody else’s, neither of the tenant nor of another', async () => {
    const { id: tenant_id } = await createTenant(gateway.backend());
    const rich = await gateway.user({ tenant_id });
    await giveCredits(gateway, rich.id, 1_000);
    for (const stranger of [await gateway.user({ tenant_id, role: 'admin' }), await gateway.user({ role: 'admin' })]) {
      const client = await gateway.signIn(stranger);
      expect((await client.get('/v1/billing/wallet')).body).toMatchObject({ balance: 0 });
      expect(await historyOf(client)).toEqual([]);
      const named = { status: 403, body: { code: 'other_user' } };
      for (const path of ['wallet', 'wallet/history'])
        expect(await client.get(`/v1/billing/${path}?user_id=${rich.id}`)).toMatchObject(named);
    }
  });
});

describe('the history', () => {
  let client: TestClient;
  let walletId: string;
  beforeAll(async () => {
    const user = await gateway.user();
    client = await gateway.signIn(user);
    for (let at = 1; at <= 4; at++)
      walletId = await giveCredits(gateway, user.id, at * 100, { description: `credit ${at}` });
    const charged = { appId: 'notes', function: 'add' };
    await gateway.service.app
      .get(LedgerService)
      .debit(walletId, { key: 'act_of_history', amount: 40, kind: 'call_charge', charged });
  });

  it('has every movement, the newest first', async () => {
    const [debit, credit, ...rest] = await historyOf(client);
    expect(debit).toEqual({
      id: 5,
      transaction_id: `${walletId}-5`,
      amount: -40,
      reason: 'call_charge',
      app_id: 'notes',
      function: 'add',
      description: null,
      created_at: expect.any(String),
      balance_after: 960,
    });
    expect(credit).toMatchObject({
      id: 4,
      amount: 400,
      reason: 'admin_adjustment',
      app_id: null,
      function: null,
      description: 'credit 4',
      balance_after: 1_000,
    });
    expect(rest.map(({ id }) => id)).toEqual([3, 2, 1]);
  });

  it.each([
    ['?limit=2', [5, 4]],
    ['?limit=2&offset=2', [3, 2]],
    ['?limit=200&offset=4', [1]],
    ['?offset=5', []],
    ['?offset=999999999999', []],
  ])('%s has a part of it', async (query, ids) => {
    expect((await historyOf(client, query)).map(({ id }) => id)).toEqual(ids);
  });

  it.each([
    'limit=0',
    'limit=201',
    'limit=1e2',
    'limit=',
    'offset=-1',
    'offset=0.5',
    'offset=NaN',
    'offset=1e3',
    'offset=9007199254740992',
    'page=2',
  ])('refuses %s', async (query) => {
    const [name = ''] = query.split('=');
    const answer = await client.get(`/v1/billing/wallet/history?${query}`);
    expect(answer).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', detail: [{ loc: ['query', name] }] },
    });
  });
});
