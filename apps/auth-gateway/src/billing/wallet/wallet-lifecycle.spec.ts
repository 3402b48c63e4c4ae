import type { UserDetailResponse, WalletResponse } from '@platform/contracts';
import { HeldLock, until } from '@platform/testing';
import { WalletsRepository } from '@platform/billing';
import { JobsService } from '@platform/messaging';
import { Outbox } from '@platform/persistence';
import { accountQueue } from '../../identity/provisioning/provisioning.jobs.js';
import { GatewayTest, PASSWORD } from '../../testing/gateway-test.js';
import { giveCredits } from '../../testing/wallets.js';

let gateway: GatewayTest;
beforeAll(async () => {
  gateway = await GatewayTest.start();
});
afterAll(() => gateway.stop());

const walletsOf = (userId: string) =>
  gateway.service.query<{ id: string; tenant_id: string; balance: string; closed_at: Date | null }>(
    'SELECT id, tenant_id, balance, closed_at FROM wallets WHERE user_id = $1',
    [userId],
  );

it('a new user gets a wallet', async () => {
  const admin = await gateway.signIn(await gateway.user({ role: 'admin' }));
  const { body } = await admin.post<UserDetailResponse>('/v1/users', { email: gateway.newEmail(), password: PASSWORD });
  const [wallet] = await until(async () => [await walletsOf(body.id)].find(({ length }) => length));
  expect(wallet).toMatchObject({ tenant_id: 'default', closed_at: null });
  const { body: shown } = await gateway.actingFor(body.id).get<WalletResponse>('/v1/billing/wallet');
  expect(shown.updated_at).toEqual(expect.any(String));
});

it('who is erased before they are given what a new user gets has no wallet', async () => {
  const { app } = gateway.service;
  const user = await gateway.user();
  const admin = await gateway.signIn(await gateway.user({ role: 'admin' }));
  expect((await admin.delete(`/v1/users/${user.id}?permanent=true`)).status).toBe(200);
  const payload = { user_id: user.id };
  await app.get(Outbox).transaction((em) => app.get(JobsService).enqueue(em, accountQueue, 'user-created', payload));
  await until(
    async () =>
      !(await gateway.service.query("SELECT FROM outbox WHERE queue = 'accounts' AND payload @> $1", [payload])).length,
  );
  expect(await walletsOf(user.id)).toEqual([]);
  const [row] = await gateway.service.query<{ provisioned_at: Date | null }>(
    'SELECT provisioned_at FROM users WHERE id = $1',
    [user.id],
  );
  expect(row).toEqual({ provisioned_at: null });
});

it('who is erased at the moment that they are given a wallet has a closed one', async () => {
  const user = await gateway.user();
  const erasure = await HeldLock.acquire(gateway.service, 'SELECT FROM users WHERE id = $1 FOR UPDATE', [user.id]);
  const given = gateway.service.app.get(WalletsRepository).ensureWallet(user.id);
  await erasure.waitForBlocked(1);
  await erasure.runStatement('UPDATE users SET erased_at = now() WHERE id = $1', [user.id]);
  await erasure.release();
  const id = await given;
  expect(await walletsOf(user.id)).toMatchObject([{ id, balance: '0', closed_at: expect.any(Date) }]);
});

it('what a user leaves who is erased goes to the platform', async () => {
  const user = await gateway.user();
  await giveCredits(gateway, user.id, 70);
  await gateway.service.query('INSERT INTO spending_limits (user_id) VALUES ($1)', [user.id]);
  const admin = await gateway.signIn(await gateway.user({ role: 'admin' }));
  expect((await admin.delete(`/v1/users/${user.id}?permanent=true`)).status).toBe(200);
  const [wallet] = await walletsOf(user.id);
  expect(wallet).toMatchObject({ balance: '0', closed_at: expect.any(Date) });
  const entries = await gateway.service.query(
    'SELECT kind, amount FROM ledger_entries WHERE wallet_id = $1 ORDER BY seq',
    [wallet?.id],
  );
  expect(entries.at(-1)).toMatchObject({ kind: 'closure' });
  expect(await gateway.service.query('SELECT FROM spending_limits WHERE user_id = $1', [user.id])).toEqual([]);
});
