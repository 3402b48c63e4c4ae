import { HeldLock, until } from '@platform/testing';
import { DataSource } from 'typeorm';
import { createApp, installApp } from '../../testing/apps.js';
import { GatewayTest } from '../../testing/gateway-test.js';
import { User } from './user.entity.js';

/** Columns that an account deletion keeps, with the reason. */
const KEPT: Record<string, string> = {
  id: 'stays for what refers to it',
  tenant_id: 'stays for what refers to it',
  credentials_epoch: 'what was begun before stays ended',
  auth_method: 'by which kind of sign-in, of nobody any more',
  provisioned_at: 'a time',
  created_at: 'a time',
};
/** Values of the other columns after the deletion. */
const ERASED = {
  password_hash: null,
  first_name: null,
  last_name: null,
  nickname: null,
  role: 'user',
  scopes: [],
  denied_scopes: [],
  attributes: {},
  confirmation_enabled: null,
  notification_settings: null,
  agency_id: null,
  org_id: null,
  cases_user_id: null,
  is_active: false,
  last_login_at: null,
};
/** A user with a value in each column. */
const FULL = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  role: 'admin',
  scopes: ['users:read'],
  denied_scopes: ['users:write'],
  attributes: { desk: 'north' },
  confirmation_enabled: true,
  notification_settings: { enabled: false, default: [], apps: {} },
  org_id: 'org-1',
  cases_user_id: 7,
  last_login_at: new Date(),
};

const reviewed = 'erased-account-spec';
let gateway: GatewayTest;
beforeAll(async () => {
  gateway = await GatewayTest.start();
  await gateway.service.query(
    "INSERT INTO agencies (tenant_id, agency_id, display_name) VALUES ('default', 'agency', 'Agency')",
  );
  await createApp(gateway, { app_id: reviewed });
});
afterAll(() => gateway.stop());

let made = 0;
const full = (changes: object) => gateway.user({ ...FULL, nickname: `ada-${++made}`, agency_id: 'agency', ...changes });
const rowOf = async (id: string) => (await gateway.service.query('SELECT * FROM users WHERE id = $1', [id]))[0];

const ways: Record<string, () => Promise<string>> = {
  'by an administrator': async () => {
    const admin = await gateway.signIn(await gateway.user({ role: 'admin' }));
    const { id } = await full({});
    expect((await admin.delete(`/v1/users/${id}?permanent=true`)).status).toBe(200);
    return id;
  },
};

it.each(Object.keys(ways))('a user who is erased %s has nothing left but what is known to stay', async (way) => {
  const columns = gateway.service.app
    .get(DataSource)
    .getMetadata(User)
    .columns.map(({ databaseName }) => databaseName);
  const known = [...Object.keys(KEPT), ...Object.keys(ERASED), 'email', 'email_canonical', 'erased_at'];
  expect(columns.sort()).toEqual(known.sort());
  const id = await (ways[way] as () => Promise<string>)();
  const address = `${id}@erased.invalid`;
  await until(async () => (await rowOf(id))?.['erased_at']);
  expect(await rowOf(id)).toMatchObject({ ...ERASED, email: address, email_canonical: address });
});

/** Writes of users to rows or columns that the deletion has already handled. */
it.each([
  [
    'the registration as a developer',
    'POST',
    '/v1/developer/register',
    { display_name: 'Grace Hopper', website: 'https://grace.example.com' },
  ],
  ['limits of spending', 'PUT', '/v1/me/spending', { unattended_limit: 5 }],
  ['a nickname', 'PUT', '/v1/me/nickname', { nickname: 'grace-hopper' }],
  [
    'a review',
    'POST',
    '/v1/marketplace/apps/erased-account-spec/reviews',
    { rating: 5, title: 'Mine', body: 'Written by Grace Hopper.' },
  ],
] as const)('%s that comes while a user is erased leaves nothing', async (_what, method, path, body) => {
  const { id } = await gateway.user();
  const client = gateway.actingFor(id);
  await installApp(gateway, reviewed, id);
  const erasure = await HeldLock.acquire(gateway.service, 'SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [id]);
  const late = client.request(method, path, body);
  await erasure.waitForBlocked(1);
  await erasure.runStatement(
    "UPDATE users SET erased_at = now(), is_active = false, nickname = NULL, email = id || '@erased.invalid', email_canonical = id || '@erased.invalid' WHERE id = $1",
    [id],
  );
  await erasure.release();
  expect((await late).status).toBeLessThan(500);
  const rows = await gateway.service.query(
    `SELECT u.nickname, d.display_name, l.unattended, r.body FROM users u LEFT JOIN developers d ON d.user_id = u.id
       LEFT JOIN spending_limits l ON l.user_id = u.id LEFT JOIN reviews r ON r.user_id = u.id
     WHERE u.id = $1`,
    [id],
  );
  expect(rows).toEqual([{ nickname: null, display_name: null, unattended: null, body: null }]);
});
