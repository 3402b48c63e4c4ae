import type { EffectiveScopesResponse, UserDetailResponse, UserListResponse } from '@platform/contracts';
import type { TestClient } from '@platform/testing';
import { GatewayTest, PASSWORD, type TestUser } from '../../testing/gateway-test.js';
import { expectNothingStored } from '../../testing/stored-rows.js';
import { createTenant, newTenantId } from '../../testing/tenants.js';

let gateway: GatewayTest;
let admin: TestClient;
let adminId: string;
beforeAll(async () => {
  gateway = await GatewayTest.start();
  const user = await gateway.user({ role: 'admin' });
  adminId = user.id;
  admin = await gateway.signIn(user);
});
afterAll(() => gateway.stop());

const create = (body: Record<string, unknown> = {}, client = admin) =>
  client.post<UserDetailResponse>('/v1/users', { email: gateway.newEmail(), password: PASSWORD, ...body });
const list = async (query: string, client = admin) => (await client.get<UserListResponse>(`/v1/users?${query}`)).body;
const effective = async (id: string, client = admin) =>
  client.get<EffectiveScopesResponse>(`/v1/scopes/effective/${id}`);

describe('a user', () => {
  it('is created by an administrator and can sign in at once', async () => {
    const email = gateway.newEmail();
    const { status, body } = await create({
      email,
      first_name: 'Grace',
      scopes: ['users:read'],
      attributes: { team: 'navy' },
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^usr_/),
      platform_id: body.id,
      email,
      email_verified: true,
      first_name: 'Grace',
      last_name: null,
      tenant_id: 'default',
      agency_id: null,
      role: 'user',
      scopes: ['users:read'],
      denied_scopes: [],
      effective_scopes: ['users:read'],
      attributes: { team: 'navy' },
      is_active: true,
      auth_method: 'email',
      created_at: expect.any(String),
      last_login: null,
    });
    expect((await gateway.client().post('/v1/auth/login', { email, password: PASSWORD })).status).toBe(200);
    expect((await admin.get<UserDetailResponse>(`/v1/users/${body.id}`)).body.email).toBe(email);
    expect(await create({ email: email.toUpperCase() })).toMatchObject({
      status: 409,
      body: { code: 'user.email_taken' },
    });
  });

  it.each([
    ['an unknown role', { role: 'nobody' }, 'role', 'value_error'],
    ['a common password', { password: 'password1' }, 'password', 'password_common'],
    ['scopes that are none', { scopes: ['all'] }, 'scopes', 'value_error'],
    ['email_verified', { email_verified: true }, 'email_verified', 'extra_forbidden'],
    ['a tenant', { tenant_id: 'other' }, 'tenant_id', 'extra_forbidden'],
  ])('is not created with %s', async (_what, body, key, type) => {
    expect(await create(body)).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', key], type }] } });
  });

  it('is changed by what is given, and everything else stays', async () => {
    const user = await gateway.user({ attributes: { a: 1 }, scopes: ['users:read'] });
    const { status, body } = await admin.patch<UserDetailResponse>(`/v1/users/${user.id}`, {
      attributes: { b: 2 },
      role: null,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ attributes: { b: 2 }, scopes: ['users:read'], role: 'user', is_active: true });
    const unknown = await admin.patch(`/v1/users/${user.id}`, { role: 'nobody' });
    expect(unknown).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'role'] }] } });
  });

  it('is signed out everywhere when deactivated, at once, and may be let in again', async () => {
    const user = await gateway.user();
    const client = await gateway.signIn(user);
    expect(await admin.delete(`/v1/users/${user.id}`)).toMatchObject({ status: 200, body: { is_active: false } });
    expect((await client.get('/v1/auth/me')).status).toBe(401);
    expect((await gateway.client().post('/v1/auth/login', { email: user.email, password: PASSWORD })).status).toBe(403);
    await admin.patch(`/v1/users/${user.id}`, { is_active: true });
    expect((await gateway.client().post('/v1/auth/login', { email: user.email, password: PASSWORD })).status).toBe(200);
    expect((await client.get('/v1/auth/me')).status).toBe(401);
  });

  it('is erased for good: nothing personal is left, the address is free, and the audit log stays', async () => {
    const user = await gateway.user({
      first_name: 'Grace',
      attributes: { phone: '+12025550173' },
      nickname: 'grace-erased',
    });
    const client = await gateway.signIn(user);
    await client.post('/v1/keys', { name: 'key' });
    expect(await admin.delete(`/v1/users/${user.id}?permanent=true`)).toMatchObject({
      status: 200,
      body: { id: user.id, is_active: false },
    });
    expect((await client.get('/v1/auth/me')).status).toBe(401);
    expect(await admin.get(`/v1/users/${user.id}`)).toMatchObject({ status: 404, body: { code: 'user.not_found' } });
    const [row] = await gateway.service.query('SELECT * FROM users WHERE id = $1', [user.id]);
    expect(JSON.stringify(row)).not.toMatch(/Grace|grace|2025550173|example\.com/);
    expect(row).toMatchObject({ password_hash: null, is_active: false });
    for (const table of ['sessions', 'api_keys', 'mail_tokens']) {
      expect(await gateway.service.query(`SELECT 1 FROM ${table} WHERE user_id = $1`, [user.id])).toEqual([]);
    }
    const entries = await gateway.service.query<{ action: string }>(
      "SELECT * FROM gateway_audit.audit_entries WHERE target_id = $1 AND action <> 'user.signed_in' ORDER BY id",
      [user.id],
    );
    expect(entries.at(-1)?.action).toBe('user.erased');
    expect(JSON.stringify(entries)).not.toContain(user.email);
    expect((await create({ email: user.email })).status).toBe(201);
  });
});

describe('the list of users', () => {
  it('has the newest first, whole pages, and a total', async () => {
    const prefix = `page${Date.now().toString(36)}`;
    for (let at = 0; at < 5; at++) await gateway.user({ first_name: `${prefix}-${at}` });
    const all = await list(`search=${prefix}`);
    expect(all).toMatchObject({ total: 5, total_is_exact: true, limit: 50, offset: 0 });
    expect(all.items.map(({ first_name }) => first_name?.at(-1))).toEqual(['4', '3', '2', '1', '0']);
    const pages = await Promise.all([0, 2, 4].map((offset) => list(`search=${prefix}&limit=2&offset=${offset}`)));
    expect(pages.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(all.items.map(({ id }) => id));
    for (const page of pages) expect(page).toMatchObject({ total: 5, total_is_exact: true });
    expect(await list(`search=${prefix}&offset=7`)).toMatchObject({ items: [], total: 5, total_is_exact: true });
  });

  it('is filtered by role, state, scope, and any part of address or name', async () => {
    const mark = `f${Date.now().toString(36)}`;
    const active = await gateway.user({ last_name: `${mark} O'Neil_100%`, scopes: ['apps:*'] });
    const inactive = await gateway.user({ last_name: mark, is_active: false });
    const ids = async (query: string) => (await list(query)).items.map(({ id }) => id);
    expect(await ids(`search=${mark}`)).toEqual([active.id]);
    expect(await ids(`search=${mark.toUpperCase()}&include_inactive=true`)).toEqual([inactive.id, active.id]);
    expect(await ids(`search=${mark}&is_active=false`)).toEqual([inactive.id]);
    expect(await ids(`search=${encodeURIComponent("o'neil_100%")}`)).toEqual([active.id]);
    expect(await ids(`search=${encodeURIComponent(`${mark}%25`)}`)).toEqual([]);
    expect(await ids(`search=${mark}&scope=apps:deploy`)).toEqual([active.id]);
    expect(await ids(`search=${mark}&scope=users:read`)).toEqual([]);
    expect((await ids('role=admin&scope=users:read')).includes(adminId)).toBe(true);
    expect(await ids(`search=${mark}&role=admin`)).toEqual([]);
  });

  it('counts 10 matches of a search beyond the page, and says when there are more', async () => {
    const name = `many${Date.now().toString(36)}`;
    await gateway.service.query(
      `INSERT INTO users (id, tenant_id, email, email_canonical, first_name, role)
       SELECT $1 || n, 'default', mail, mail, $1, 'user' FROM generate_series(1, 60) n, LATERAL (SELECT $1 || n || '@example.com' AS mail) m`,
      [name],
    );
    const totals = (query: string) =>
      list(`search=${name}&${query}`).then(({ total, total_is_exact: exact }) => [total, exact]);
    expect(await totals('limit=49')).toEqual([59, false]);
    expect(await totals('limit=50')).toEqual([60, true]);
    expect(await totals('limit=5&offset=45')).toEqual([60, true]);
    expect(await totals('limit=20&offset=40')).toEqual([60, true]);
  });

  it.each(['Жанна', 'Édith', 'Σοφία'])('finds %s in capitals and in small letters', async (name) => {
    const { id } = await gateway.user({ first_name: name });
    for (const search of [name.toUpperCase(), name.toLowerCase()]) {
      expect((await list(`search=${encodeURIComponent(search)}`)).items).toMatchObject([{ id }]);
    }
  });

  it.each([
    ['İbrahim', ['İbrahim', 'ibrahim', 'IBRAHIM', 'İBRAHIM']],
    ['ΟΔΥΣΣΕΥΣ', ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς', 'Οδυσσεύς', 'δυσσ']],
    ['Zo\u00eb', ['Zo\u00eb', 'Zoe\u0308', 'ZOE\u0308', 'ZOË', 'zoe']],
    ['Ame\u0301lie', ['Am\u00e9lie', 'Ame\u0301lie', 'AMÉLIE', 'mél']],
    ['Groß', ['Groß', 'GROSS', 'groẞ']],
    ['Işık', ['Işık', 'IŞIK', 'ışık']],
    ['ﬁnn', ['finn', 'ﬁnn', 'FINN']],
    ['Ｋｅｎ', ['Ken', 'ＫＥＮ']],
    ['한국', ['한국', '한국'.normalize('NFD')]],
    ['山田太郎', ['山田', '田太郎']],
  ])('finds %s by their own name, however it is written', async (first_name, searches) => {
    const tenant = (await createTenant(gateway.backend())).id;
    const { id } = await gateway.user({ tenant_id: tenant, first_name });
    for (const search of searches) {
      const { items } = await list(`tenant_id=${tenant}&search=${encodeURIComponent(search)}`, gateway.backend());
      expect([search, items.map((item) => item.id)]).toEqual([search, [id]]);
    }
    for (const search of ['％', '＿', `${searches[0] ?? ''}x`]) {
      expect((await list(`tenant_id=${tenant}&search=${encodeURIComponent(search)}`, gateway.backend())).items).toEqual(
        [],
      );
    }
  });

  it('finds how a word begins by one or two characters', async () => {
    const tenant = (await createTenant(gateway.backend())).id;
    const user = await gateway.user({
      tenant_id: tenant,
      email: `zoe@${newTenantId()}.example`,
      first_name: 'Mary Xue',
      last_name: 'O’Wu',
    });
    const find = async (search: string) =>
      (await list(`tenant_id=${tenant}&search=${encodeURIComponent(search)}`, gateway.backend())).items.map(
        ({ id }) => id,
      );
    for (const found of ['z', 'ZO', 'ma', 'x', 'xu', 'o', '@', 'oe@'])
      expect([found, await find(found)]).toEqual([found, [user.id]]);
    for (const missed of ['oe', 'ry', 'q', '%', '_']) expect([missed, await find(missed)]).toEqual([missed, []]);
  });

  it.each(['limit=201', 'limit=0', 'limit=x', 'offset=-1', 'is_active=maybe', 'include_inactive=2'])(
    'refuses %s',
    async (query) => {
      const answer = await admin.get(`/v1/users?${query}`);
      expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['query', query.split('=')[0]] }] } });
    },
  );
});

describe('rights', () => {
  it('are what the role and the user hold, without what is denied, with the history of it', async () => {
    const user = await gateway.user({ scopes: ['users:*'] });
    const client = await gateway.signIn(user);
    expect((await client.get('/v1/users')).status).toBe(200);
    const denied = { denied_scopes: ['users:read'], reason: 'on leave' };
    expect((await admin.patch<UserDetailResponse>(`/v1/users/${user.id}`, denied)).body.effective_scopes).toEqual([
      'users:write',
    ]);
    expect((await client.get('/v1/users')).status).toBe(403);
    expect((await effective(user.id)).body).toEqual({
      user_id: user.id,
      role: 'user',
      scopes: [{ scope: 'users:write', source: 'user', granted_as: 'users:*' }],
      denied: [
        {
          scope: 'users:read',
          reason: 'on leave',
          denied_by: adminId,
          at: expect.any(String),
          lifted_by: null,
          lifted_at: null,
        },
      ],
    });
    await admin.patch(`/v1/users/${user.id}`, { denied_scopes: [] });
    expect((await client.get('/v1/users')).status).toBe(200);
    expect((await effective(user.id)).body.denied).toMatchObject([{ scope: 'users:read', lifted_by: adminId }]);
    expect((await effective(user.id, client)).status).toBe(200);
  });

  it('are nobody else’s business', async () => {
    const [user, other] = [await gateway.user(), await gateway.user()];
    const client = await gateway.signIn(user);
    const foreign = await effective(other.id, client);
    const unknown = await effective('usr_unknown', client);
    expect(foreign.status).toBe(404);
    expect({ ...(foreign.body as object), request_id: '' }).toEqual({ ...(unknown.body as object), request_id: '' });
    expect((await effective(user.id, client)).status).toBe(200);
    for (const path of ['/v1/users', `/v1/users/${other.id}`]) expect((await client.get(path)).status).toBe(403);
    expect((await client.patch(`/v1/users/${user.id}`, { role: 'admin' })).status).toBe(403);
    expect((await client.delete(`/v1/users/${other.id}`)).status).toBe(403);
  });

  it('are given by nobody who lacks them', async () => {
    const manager = await gateway.signIn(await gateway.user({ scopes: ['users:read', 'users:write'] }));
    expect((await create({ scopes: ['users:read'] }, manager)).status).toBe(201);
    const user = await gateway.user();
    const attempts = [
      create({ scopes: ['*'] }, manager),
      create({ role: 'admin' }, manager),
      manager.patch(`/v1/users/${user.id}`, { scopes: ['roles:write'] }),
      manager.patch(`/v1/users/${user.id}`, { role: 'admin' }),
      manager.patch(`/v1/users/${adminId}`, { is_active: false }),
      manager.delete(`/v1/users/${adminId}?permanent=true`),
    ];
    for (const answer of await Promise.all(attempts))
      expect(answer).toMatchObject({ status: 403, body: { code: 'privilege_escalation' } });
    expect(await gateway.service.query('SELECT role, scopes FROM users WHERE id = $1', [user.id])).toEqual([
      { role: 'user', scopes: [] },
    ]);
  });

  it('are denied to somebody who cannot lift that themselves', async () => {
    const user = await gateway.user({ scopes: ['users:write', 'roles:write'] });
    const client = await gateway.signIn(user);
    await admin.patch(`/v1/users/${user.id}`, { denied_scopes: ['roles:write'], reason: 'on leave' });
    const lifted = await client.patch(`/v1/users/${user.id}`, { denied_scopes: [] });
    expect(lifted).toMatchObject({ status: 403, body: { code: 'privilege_escalation' } });
    expect((await effective(user.id)).body).toMatchObject({
      scopes: [{ scope: 'users:write' }],
      denied: [{ lifted_at: null }],
    });
    expect((await client.patch(`/v1/users/${user.id}`, { denied_scopes: ['roles:write', 'users:read'] })).status).toBe(
      200,
    );
  });

  it('keep one administrator, however many step down at once', async () => {
    await gateway.service.query("UPDATE users SET role = 'user' WHERE role = 'admin' AND id <> $1", [adminId]);
    const others = await Promise.all(Array.from({ length: 3 }, () => gateway.user({ role: 'admin' })));
    const ids = [adminId, ...others.map(({ id }) => id)];
    const answers = await Promise.all(
      Array.from({ length: 48 }, (_value, at) =>
        gateway.backend().patch(`/v1/users/${ids[at % 4]}`, { is_active: false }),
      ),
    );
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    const left = await gateway.service.query("SELECT id FROM users WHERE role = 'admin' AND is_active");
    expect(left).toHaveLength(1);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'user.last_administrator' });
  });
});

describe('the agency of a user', () => {
  it('is left by null, and kept where it is not named', async () => {
    const admin = await gateway.signIn(await gateway.user({ role: 'admin' }));
    await admin.post('/v1/agencies', { agency_id: 'south', display_name: 'South' });
    const { body: user } = await create({ agency_id: 'south' }, admin);
    const patch = async (body: object) => (await admin.patch<UserDetailResponse>(`/v1/users/${user.id}`, body)).body;
    expect(await patch({ attributes: { floor: 2 } })).toMatchObject({ agency_id: 'south' });
    const nulls = { role: null, scopes: null, denied_scopes: null, attributes: null, is_active: null, reason: null };
    expect(await patch(nulls)).toMatchObject({
      agency_id: 'south',
      role: 'user',
      is_active: true,
      attributes: { floor: 2 },
    });
    expect(await patch({ agency_id: null })).toMatchObject({ agency_id: null });
    expect(await patch({ agency_id: null })).toMatchObject({ agency_id: null });
    expect((await admin.get<UserDetailResponse>(`/v1/users/${user.id}`)).body.agency_id).toBeNull();
    const changes = await gateway.service.query<{ before: unknown; after: unknown }>(
      `SELECT before_state -> 'agency_id' AS before, after_state -> 'agency_id' AS after FROM gateway_audit.audit_entries
       WHERE action = 'user.updated' AND target_id = $1 AND before_state -> 'agency_id' <> after_state -> 'agency_id'`,
      [user.id],
    );
    expect(changes).toEqual([{ before: 'south', after: null }]);
  });

  it('is left by nobody without the right to change users, and not by who is no user of the tenant', async () => {
    const user = await gateway.user();
    expect((await (await gateway.signIn(user)).patch(`/v1/users/${user.id}`, { agency_id: null })).status).toBe(403);
    const { id: tenant_id } = await createTenant(gateway.backend());
    const theirs = await gateway.signIn(await gateway.user({ tenant_id, role: 'admin' }));
    expect((await theirs.patch(`/v1/users/${user.id}`, { agency_id: null })).status).toBe(404);
  });
});

describe('the last administrator of a tenant', () => {
  async function tenantWith(administrators: Record<string, unknown>[]) {
    const { id: tenant_id } = await createTenant(gateway.backend());
    const users = await Promise.all(
      administrators.map((changes) => gateway.user({ tenant_id, role: 'admin', ...changes })),
    );
    const asBackend = (id: string, body: object) =>
      gateway.backend().patch(`/v1/users/${id}?tenant_id=${tenant_id}`, body);
    return { tenant_id, users, asBackend };
  }
  const refused = { status: 409, body: { code: 'user.last_administrator' } };
  const BY_DENIAL = [['*'], ['users:*'], ['users:write'], ['users.write'], ['no-such:scope']].map((denied_scopes) => ({
    denied_scopes,
  }));

  it.each([...BY_DENIAL, { role: 'user' }, { is_active: false }, { role: 'user', scopes: ['*'] }])(
    'is not locked out by %j, of their own or of a backend',
    async (change) => {
      const { users, asBackend } = await tenantWith([{}]);
      const [last] = users as [TestUser];
      const self = await gateway.signIn(last);
      await expectNothingStored(gateway.service, async () => {
        expect(await self.patch(`/v1/users/${last.id}`, change)).toMatchObject(refused);
        expect(await asBackend(last.id, change)).toMatchObject(refused);
        if ('is_active' in change)
          expect(await self.delete(`/v1/users/${last.id}?permanent=true`)).toMatchObject(refused);
      });
      expect((await self.get('/v1/users')).status).toBe(200);
    },
  );

  it.each([{ denied_scopes: ['notes:write'] }, { is_active: false }])(
    'is alone beside one who has %j',
    async (changes) => {
      const { users, asBackend } = await tenantWith([{}, changes]);
      const [last, other] = users as [TestUser, TestUser];
      expect(await asBackend(last.id, { denied_scopes: ['users:read'] })).toMatchObject(refused);
      expect(await asBackend(other.id, { denied_scopes: ['users:read'] })).toMatchObject({ status: 200 });
    },
  );

  it('is one, however many are denied something or step down at once', async () => {
    const { tenant_id, users, asBackend } = await tenantWith([{}, {}, {}, {}]);
    const changes = [
      { denied_scopes: ['users:write'] },
      { role: 'user' },
      { is_active: false },
      { denied_scopes: ['*'] },
    ];
    const answers = await Promise.all(users.map(({ id }, at) => asBackend(id, changes[at] as object)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 409]);
    const left = "role = 'admin' AND is_active AND denied_scopes = '{}'";
    expect(
      await gateway.service.query(`SELECT id FROM users WHERE tenant_id = $1 AND ${left}`, [tenant_id]),
    ).toHaveLength(1);
  });

  it('who was denied something before that was refused can be set right', async () => {
    const { users, asBackend } = await tenantWith([{ denied_scopes: ['users:write'] }]);
    const [last] = users as [TestUser];
    expect((await asBackend(last.id, { attributes: { floor: 2 } })).status).toBe(200);
    expect((await asBackend(last.id, { denied_scopes: [] })).status).toBe(200);
    expect(await asBackend(last.id, { denied_scopes: ['users:write'] })).toMatchObject(refused);
  });
});
