import type { KeyResponse } from '@platform/contracts';
import { GatewayTest } from '../../testing/gateway.js';
import { createTenant } from '../../testing/tenants.js';

let gateway: GatewayTest;
beforeAll(async () => {
  gateway = await GatewayTest.start();
});
afterAll(() => gateway.stop());

const PATH = '/v1/me/settings';
const settings = (confirmation_enabled: boolean | null) => ({ status: 200, body: { settings: { confirmation_enabled } } });

it('are the user’s own, kept until they change them', async () => {
  const { id: tenant_id } = await createTenant(gateway.backend());
  for (const changes of [{}, { tenant_id }]) {
    const client = await gateway.signedIn(await gateway.user(changes));
    const other = await gateway.signedIn(await gateway.user(changes));
    expect(await client.get(PATH)).toMatchObject(settings(null));
    for (const enabled of [true, false, null, false]) {
      expect(await client.patch(PATH, { confirmation_enabled: enabled })).toMatchObject(settings(enabled));
      expect(await client.get(PATH)).toMatchObject(settings(enabled));
    }
    expect(await client.patch(PATH, {})).toMatchObject(settings(false));
    expect(await other.get(PATH)).toMatchObject(settings(null));
  }
});

it('take a person: a key reads them, and a trusted backend acts for one', async () => {
  const user = await gateway.user();
  const client = await gateway.signedIn(user);
  const { body: key } = await client.post<KeyResponse>('/v1/keys', { name: 'agent' });
  const withKey = gateway.client().with({ 'x-api-key': key.key });
  expect(await withKey.get(PATH)).toMatchObject(settings(null));
  expect(await withKey.patch(PATH, { confirmation_enabled: false })).toMatchObject({ status: 403, body: { code: 'session_required' } });
  expect((await gateway.client().patch(PATH, { confirmation_enabled: false })).status).toBe(401);
  expect(await client.get(PATH)).toMatchObject(settings(null));
  expect(await gateway.actingFor(user.id).patch(PATH, { confirmation_enabled: false })).toMatchObject(settings(false));
  const other = await gateway.user();
  expect(await client.patch(PATH, { confirmation_enabled: true, user_id: other.id })).toMatchObject({
    status: 403,
    body: { code: 'other_user' },
  });
});

it.each([{ confirmation_enabled: 'no' }, { confirmation_enabled: 0 }, { confirmation_ttl: 60 }])('do not take %j', async (body) => {
  const client = await gateway.signedIn(await gateway.user());
  expect((await client.patch(PATH, body)).status).toBe(422);
});

it('are in the audit log when they change, and not otherwise', async () => {
  const user = await gateway.user();
  const client = await gateway.signedIn(user);
  for (const enabled of [null, false, false]) await client.patch(PATH, { confirmation_enabled: enabled });
  const entries = await gateway.service.query(
    "SELECT before_state, after_state FROM gateway_audit.audit_entries WHERE target_id = $1 AND action = 'user.settings_changed'",
    [user.id],
  );
  expect(entries).toEqual([{ before_state: { confirmation_enabled: null }, after_state: { confirmation_enabled: false } }]);
});
