import type { KeyResponse, SessionListResponse } from '@platform/contracts';
import type { TestClient } from '@platform/testing';
import { WalletEventsWorker } from '../../billing/wallet/wallet-events.worker.js';
import { SignInAuditWorker } from '../../identity/sign-ins/sign-in-audit.worker.js';
import { UserNotificationsService } from '../../extensions/notifications/user-notifications.service.js';
import { GatewayTest, PASSWORD, type TestUser } from '../../testing/gateway-test.js';

let gateway: GatewayTest;
let user: TestUser;
let client: TestClient;
let admin: TestClient;
beforeAll(async () => {
  gateway = await GatewayTest.start();
  admin = await gateway.signIn(await gateway.user({ role: 'admin' }));
});
beforeEach(async () => {
  user = await gateway.user();
  client = await gateway.signIn(user);
});
afterAll(() => gateway.stop());

const FIREFOX = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
const signIn = (from = gateway.client()) =>
  from.post<{ access_token: string; refresh_token: string }>('/v1/auth/login', {
    email: user.email,
    password: PASSWORD,
    tenant_id: 'default',
  });
/** Events of this type, oldest first. */
async function told(
  type: string,
  about: { user?: string | null } = { user: user.id },
): Promise<Record<string, unknown>[]> {
  const rows = await gateway.service.query<{ payload: Record<string, unknown> }>(
    'SELECT payload FROM platform_events WHERE type = $1 AND user_id IS NOT DISTINCT FROM $2 ORDER BY insert_number',
    [type, about.user ?? null],
  );
  return rows.map(({ payload }) => payload);
}

it('tells of a sign-in once, and whether its device is new', async () => {
  const browser = gateway.client().withHeaders(FIREFOX);
  for (let times = 0; times < 2; times++) expect((await signIn(browser)).status).toBe(200);
  for (let times = 0; times < 2; times++) await gateway.service.app.get(SignInAuditWorker).writeSignIns();
  const events = (await told('session.started')).filter(({ device }) => device === 'Firefox on Linux');
  const { body } = await client.get<SessionListResponse>('/v1/auth/sessions');
  expect(events.map(({ session_id }) => session_id).sort()).toEqual(
    body.sessions
      .filter(({ user_agent }) => user_agent === FIREFOX['User-Agent'])
      .map(({ session_id }) => session_id)
      .sort(),
  );
  expect(events.map(({ is_new_device, method, surface }) => [is_new_device, method, surface])).toEqual([
    [true, 'password', 'web'],
    [false, 'password', 'web'],
  ]);
});

it('tells how sessions ended: one by one, and all others at once', async () => {
  const sessions = await Promise.all([signIn(), signIn(), signIn()]);
  await gateway.client().post('/v1/auth/logout', { refresh_token: sessions[0].body.refresh_token });
  await gateway.client().post('/v1/auth/logout', { refresh_token: sessions[0].body.refresh_token });
  await client.post('/v1/auth/sessions/revoke-others');
  expect((await told('session.ended')).map(({ reason }) => reason)).toEqual(['logout', 'revoked', 'revoked']);
});

it('tells of API keys, without the key', async () => {
  const { body } = await client.post<KeyResponse>('/v1/keys', { name: 'CI' });
  await client.delete(`/v1/keys/${body.id}`);
  expect(await told('api_key.created')).toEqual([{ key_id: body.id, name: 'CI' }]);
  expect(await told('api_key.deleted')).toEqual([{ key_id: body.id }]);
});

it('tells the tenant of accounts, and no user of it', async () => {
  const other = await gateway.user();
  await admin.patch(`/v1/users/${other.id}`, { role: 'admin' });
  const ofTenant = async (type: string) =>
    (await told(type, { user: null })).filter(({ user_id }) => user_id === other.id);
  expect(await ofTenant('user.updated')).toEqual([{ user_id: other.id, changed: ['role'] }]);
  await admin.delete(`/v1/users/${other.id}?permanent=true`);
  expect(await ofTenant('user.erased')).toEqual([{ user_id: other.id }]);
});

it('tells of a notification with what it says', async () => {
  const { app } = gateway.service;
  await app.get(UserNotificationsService).sendNotification({
    app_id: 'notes',
    user_id: user.id,
    tenant_id: 'default',
    message: 'Milk',
    channel: 'in_app',
  } as never);
  expect(await told('notification.created')).toMatchObject([
    { app_id: 'notes', message: 'Milk', subject: null, priority: 'normal' },
  ]);
});

it('tells what is in a wallet after many movements once, however often it looks', async () => {
  const wallet = gateway.service.app.get(WalletEventsWorker);
  await wallet.publishWalletChanges();
  for (let times = 0; times < 3; times++)
    await admin.post(`/v1/admin/wallets/${user.id}/adjust`, { amount: 100, note: 'A gift' });
  for (let times = 0; times < 2; times++) await wallet.publishWalletChanges();
  expect(await told('wallet.changed')).toEqual([{ balance: 300, seq: 3 }]);
});

it('says of a device that it is new by the latest sessions alone, however many there are, and what programs say of themselves', async () => {
  const many = Array.from({ length: 300 }, (_value, at) => `made-up/${at}`);
  await gateway.service.query(
    `INSERT INTO sessions (id, user_id, surface, user_agent, idle_expires_at, absolute_expires_at, created_at)
     SELECT 'ses_' || $1 || n, $1, 'web', agent, now(), now(), now() - n * interval '1 minute' FROM unnest($2::text[]) WITH ORDINALITY AS t (agent, n)`,
    [user.id, many],
  );
  await gateway.service.query(
    "UPDATE sessions SET user_agent = $2, created_at = now() - interval '1 day' WHERE id = 'ses_' || $1 || '300'",
    [user.id, FIREFOX['User-Agent']],
  );
  await signIn(gateway.client().withHeaders(FIREFOX));
  await gateway.service.app.get(SignInAuditWorker).writeSignIns();
  const events = await told('session.started');
  expect(
    events.filter(({ device }) => device === 'Firefox on Linux').map(({ is_new_device }) => is_new_device),
  ).toEqual([true]);
});
