import { isSecretKey, type AuditPageResponse } from '@platform/contracts';
import { HeldLock, type TestClient } from '@platform/testing';
import { DataSource } from 'typeorm';
import { GatewayTest, PASSWORD } from '../../testing/gateway-test.js';
import { waitIfMidnightIsNear } from '../../testing/midnight.js';
import { createTenant } from '../../testing/tenants.js';
import { AuditSealWorker } from './audit-seal.worker.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { redact } from '../../kernel/audit/redaction.js';

let gateway: GatewayTest;
beforeAll(async () => (gateway = await GatewayTest.start()));
afterAll(() => gateway.stop());

interface Entry {
  action: string;
  actor_type: string;
  actor_id: string;
  on_behalf_of: string | null;
  ip_address: string | null;
  request_id: string | null;
  metadata: object;
}

const entriesOf = (targetId: string) =>
  gateway.service.query<Entry>('SELECT * FROM gateway_audit.audit_entries WHERE target_id = $1 ORDER BY id', [
    targetId,
  ]);
const actionsOf = async (targetId: string) => (await entriesOf(targetId)).map(({ action }) => action);

describe('the audit log', () => {
  it('tells what happened to an account, who did it and from where', async () => {
    const email = gateway.newEmail();
    const client = gateway.client();
    const { body } = await client.post<{ user_id: string }>('/v1/auth/signup', { email, password: PASSWORD });
    await client.post('/v1/auth/verify-email', { token: await gateway.mailToken(email) });
    await gateway.backend().patch(`/v1/auth/users/${body.user_id}/cases-uid`, { cases_user_id: '7' });
    const entries = (await entriesOf(body.user_id)).filter(({ action }) => action !== 'user.signed_in');
    expect(entries).toMatchObject([
      { action: 'user.signed_up', actor_type: 'system', actor_id: 'platform', ip_address: client.address },
      {
        action: 'user.created',
        actor_type: 'user',
        actor_id: body.user_id,
        ip_address: client.address,
        request_id: expect.any(String),
      },
      { action: 'user.email_verified', actor_type: 'user', actor_id: body.user_id },
      { action: 'user.cases_uid_set', actor_type: 'service', actor_id: 'test' },
    ]);
    expect(JSON.stringify(entries)).not.toContain(email.split('@')[0]);
  });

  it('tells of keys, sessions, logins and new passwords', async () => {
    const user = await gateway.user();
    const client = await gateway.signIn(user);
    const { body: key } = await client.post<{ id: string }>('/v1/keys', { name: 'deploy' });
    await client.delete(`/v1/keys/${key.id}`);
    expect(await actionsOf(key.id)).toEqual(['api_key.created', 'api_key.deleted']);

    const device = await gateway
      .client()
      .post<{ user_code: string }>('/v1/auth/cli/device/authorize', { code_challenge: 'x'.repeat(43) });
    await gateway.actingFor(user.id).post('/v1/auth/cli/device/approve', { user_code: device.body.user_code });
    for (let at = 0; at < 12; at++)
      await gateway.actingFor(user.id).post('/v1/auth/cli/device/approve', { user_code: 'BBBB-BBBB' });
    await client.post('/v1/auth/sessions/revoke-others');
    await client.post('/v1/auth/me/change-password', {
      current_password: PASSWORD,
      new_password: 'another horse battery',
    });
    // A job writes the sign-in later.
    const changes = (await actionsOf(user.id)).filter((action) => action !== 'user.signed_in');
    expect(changes).toEqual([
      'device_login.approved',
      'device_login.guessing',
      'session.others_revoked',
      'user.password_changed',
    ]);
    expect((await entriesOf(user.id)).find(({ action }) => action === 'device_login.approved')).toMatchObject({
      actor_type: 'service',
      actor_id: 'test',
      on_behalf_of: user.id,
    });
  });

  it('is read one late page of a tenant at a time', async () => {
    const { id } = await createTenant(gateway.backend());
    const read = (page: string, tenant = 'default') =>
      gateway.backend().get(`/v1/audit?tenant_id=${tenant}&per_page=200&page=${page}`);
    const lock = await HeldLock.acquire(
      gateway.service,
      'LOCK TABLE gateway_audit.audit_entries IN ACCESS EXCLUSIVE MODE',
    );
    const others = [read('51')];
    try {
      await lock.waitForBlocked(1);
      expect(await read('52')).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
      others.push(read('50'), read('51', id));
      await lock.waitForBlocked(3);
    } finally {
      await lock.release();
    }
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await read('52')).status).toBe(200);
  });

  it('tells of nothing that was rolled back', async () => {
    const dataSource = gateway.service.app.get(DataSource);
    const attempt = dataSource.transaction(async (em) => {
      await recordAudit(em, {
        action: 'user.erased',
        target: { type: 'user', id: 'usr_rolled_back' },
        tenantId: 'default',
      });
      throw new Error('no');
    });
    await expect(attempt).rejects.toThrow('no');
    expect(await entriesOf('usr_rolled_back')).toEqual([]);
  });

  it.each([
    "UPDATE gateway_audit.audit_entries SET action = 'nothing'",
    'DELETE FROM gateway_audit.audit_entries',
    'TRUNCATE gateway_audit.audit_entries',
    'TRUNCATE gateway_audit.audit_entries_default',
    'UPDATE gateway_audit.audit_chain SET sequence = 0',
    'DELETE FROM gateway_audit.audit_chain',
    'TRUNCATE gateway_audit.audit_chain',
    'DELETE FROM gateway_audit.audit_heads',
    'UPDATE gateway_audit.audit_seals SET number = 0',
    'DELETE FROM gateway_audit.audit_seals',
    'TRUNCATE gateway_audit.audit_seals',
  ])('refuses %s', async (statement) => {
    const dataSource = gateway.service.app.get(DataSource);
    await dataSource.transaction((em) =>
      recordAudit(em, { action: 'a', target: { type: 'b', id: 'c' }, tenantId: 'default' }),
    );
    await gateway.service.app.get(AuditSealWorker).sealer.sealAllTenants(); // empty tables have nothing to refuse
    await expect(gateway.service.query(statement)).rejects.toMatchObject({ driverError: { code: '42501' } });
  });

  it('is chained without a gap by 50 transactions at once', async () => {
    const dataSource = gateway.service.app.get(DataSource);
    await Promise.all(
      Array.from({ length: 50 }, (_value, at) =>
        dataSource.transaction((em) =>
          recordAudit(em, { action: 'a', target: { type: 'b', id: `race-${at}` }, tenantId: 'acme' }),
        ),
      ),
    );
    const rows = await gateway.service.query<{ sequence: string; intact: boolean }>(
      `SELECT c.sequence, c.hash = gateway_audit.audit_hash(lag(c.hash, 1, ''::bytea) OVER (ORDER BY c.sequence), e) AS intact
       FROM gateway_audit.audit_chain c JOIN gateway_audit.audit_entries e ON e.id = c.entry_id WHERE c.tenant_id = 'acme' ORDER BY c.sequence`,
    );
    expect(rows.map(({ sequence }) => Number(sequence))).toEqual(Array.from({ length: 50 }, (_value, at) => at + 1));
    expect(rows.every(({ intact }) => intact)).toBe(true);
  });
});

describe('the partitions', () => {
  it('are made ahead, except for a month that has entries elsewhere because its partition came too late', async () => {
    await waitIfMidnightIsNear();
    await gateway.service.query(
      `INSERT INTO gateway_audit.audit_entries (id, tenant_id, actor_type, actor_id, action, target_type, target_id, created_at)
       VALUES ('aud_late', 'late', 'user', 'u', 'a', 'b', 'c', date_trunc('month', now(), 'UTC') + interval '4 months')`,
    );
    await gateway.service.query('SELECT gateway_audit.audit_create_partitions(6)');
    const months = await gateway.service.query<{ made: boolean }>(
      `SELECT to_regclass('gateway_audit.' || to_char(date_trunc('month', now() AT TIME ZONE 'UTC') + make_interval(months => n), '"audit_entries_"YYYY_MM'))
         IS NOT NULL AS made FROM generate_series(0, 5) AS n`,
    );
    expect(months.map(({ made }) => made)).toEqual([true, true, true, true, false, true]);
  });
});

describe('GET /v1/audit', () => {
  const read = async (client: TestClient, query: string) =>
    (await client.get<AuditPageResponse>(`/v1/audit?${query}`)).body;

  it('shows administrators and trusted backends what happened, by every filter, in stable pages', async () => {
    const adminUser = await gateway.user({ role: 'admin' });
    const admin = await gateway.signIn(adminUser);
    const user = await gateway.user();
    for (let at = 0; at < 5; at++) await admin.patch(`/v1/users/${user.id}`, { attributes: { at } });
    await admin.patch(`/v1/users/${user.id}`, { role: 'admin', reason: 'promotion' });
    const all = await read(admin, `target_id=${user.id}`);
    expect(all).toMatchObject({ total: 6, total_is_exact: true, page: 1, per_page: 50 });
    expect(all.items[0]).toMatchObject({
      action: 'user.updated',
      actor_type: 'user',
      actor_id: adminUser.id,
      target_type: 'user',
      target_id: user.id,
      before_state: { role: 'user' },
      after_state: { role: 'admin' },
      metadata: { reason: 'promotion' },
      source: 'user',
      tenant_id: 'default',
      ip_address: admin.address,
    });
    const pages = await Promise.all(
      [1, 2, 3].map((page) => read(admin, `target_id=${user.id}&per_page=2&page=${page}`)),
    );
    expect(pages.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(all.items.map(({ id }) => id));
    const count = async (query: string, client = admin) => (await read(client, `target_id=${user.id}&${query}`)).total;
    expect(await count(`actor_id=${adminUser.id}`)).toBe(6);
    expect(await count('actor_id=usr_other')).toBe(0);
    expect(await count('action=user.updated&target_type=user&source=user')).toBe(6);
    expect(await count('action=role.updated')).toBe(0);
    expect(await count('source=service')).toBe(0);
    expect(await count(`from=${all.items[1]?.created_at as unknown as string}`)).toBe(2);
    expect(await count(`to=${all.items[1]?.created_at as unknown as string}`)).toBe(4);
    expect(await count('since=yesterday&hours=4')).toBe(6); // unknown keys are ignored
    expect(await count('', gateway.backend())).toBe(6);
    const { id: other } = await createTenant(gateway.backend());
    expect(await count(`tenant_id=${other}`, gateway.backend())).toBe(0);
  });

  it('takes a day, and a time without a time zone, for UTC, and a prefix of actions', async () => {
    const admin = await gateway.signIn(await gateway.user({ role: 'admin' }));
    const { body: role } = await admin.post<{ id: string }>('/v1/roles', { name: 'audited-role' });
    await admin.patch(`/v1/roles/${role.id}`, { display_name: 'Audited' });
    const count = async (query: string) => (await read(admin, `target_id=${role.id}&${query}`)).total;
    const created = (await read(admin, `target_id=${role.id}&action=role.created`)).items[0]
      ?.created_at as unknown as string;
    const day = (plus: number) =>
      new Date(Date.parse(created.slice(0, 10)) + plus * 86_400_000).toISOString().slice(0, 10);
    expect(await count(`from=${day(0)}&to=${day(1)}`)).toBe(2);
    expect(await count(`to=${day(0)}`)).toBe(0);
    expect(await count(`from=${day(1)}`)).toBe(0);
    expect(await count(`from=${created.slice(0, -1)}`)).toBe(2);
    expect(await count(`to=${created.slice(0, -1)}`)).toBe(0);
    expect(await count('action=role.*')).toBe(2);
    expect(await count('action=role.up*')).toBe(1);
    expect(await count('action=role.%25')).toBe(0);
    expect(await count('action=user.*')).toBe(0);
  });

  it('shows what changed, and nothing of what did not', async () => {
    const admin = await gateway.signIn(await gateway.user({ role: 'admin' }));
    const user = await gateway.user({ scopes: ['roles:read'], attributes: { phone: '+12025550173' } });
    const same = {
      role: 'user',
      scopes: ['roles:read'],
      attributes: { phone: '+12025550173' },
      is_active: true,
      denied_scopes: [],
    };
    expect((await admin.patch(`/v1/users/${user.id}`, same)).status).toBe(200);
    expect(await entriesOf(user.id)).toEqual([]);
    await admin.patch(`/v1/users/${user.id}`, { ...same, scopes: ['users:read'] });
    await admin.patch(`/v1/users/${user.id}`, { attributes: { phone: '+12025550199' } });
    const changes = (await entriesOf(user.id)) as unknown as {
      before_state: object;
      after_state: object;
      metadata: object;
    }[];
    expect(changes.map(({ before_state, after_state, metadata }) => ({ before_state, after_state, metadata }))).toEqual(
      [
        {
          before_state: { scopes: ['roles:read'] },
          after_state: { scopes: ['users:read'] },
          metadata: { reason: null },
        },
        { before_state: null, after_state: null, metadata: { reason: null, attributes_changed: true } },
      ],
    );
    const { body: role } = await admin.post<{ id: string }>('/v1/roles', {
      name: 'unchanged-role',
      context_window: 30,
    });
    await admin.patch(`/v1/roles/${role.id}`, { context_window: 30, display_name: 'unchanged-role' });
    await admin.patch(`/v1/roles/${role.id}`, { context_window: 40 });
    expect(await entriesOf(role.id)).toMatchObject([
      { action: 'role.created' },
      { action: 'role.updated', before_state: { context_window: 30 }, after_state: { context_window: 40 } },
    ]);
  });

  it('shows nobody else anything', async () => {
    expect((await gateway.client().get('/v1/audit')).status).toBe(401);
    expect((await (await gateway.signIn(await gateway.user({ scopes: ['*'] }))).get('/v1/audit')).status).toBe(403);
  });

  it.each([
    'page=0',
    'per_page=201',
    'from=yesterday',
    'to=2026-13-01',
    'to=2026-11-21T25:00',
    'from=2026-02-30',
    'from=21.11.2026',
    'page=x',
  ])('refuses %s', async (query) => {
    const answer = await gateway.backend().get(`/v1/audit?${query}`);
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['query', query.split('=')[0]] }] } });
  });
});

describe('redaction', () => {
  it.each([
    'password',
    'api_key',
    'API-Key',
    '\uff41pi\uff2bey',
    'client_secret',
    'passwd',
    'auth_token',
    'Private Key',
    'x-cookie',
  ])('knows %s for a secret', (key) => {
    expect(isSecretKey(key)).toBe(true);
  });

  it.each(['token_symbol', 'max_tokens', 'name', 'scopes', 'key', 'spin'])('lets %s be', (key) => {
    expect(isSecretKey(key)).toBe(false);
  });

  it('reaches every depth and leaves the rest as it is', () => {
    const value = { name: 'a', nested: [{ client_secret: 's', ok: 1 }], when: new Date(0), none: null };
    expect(redact(value)).toEqual({
      name: 'a',
      nested: [{ client_secret: '[redacted]', ok: 1 }],
      when: new Date(0),
      none: null,
    });
  });
});
