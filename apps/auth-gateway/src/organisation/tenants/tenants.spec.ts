import type { CreateTenantRequest, TenantResponse } from '@platform/contracts';
import { readDocumentedSchemas, type TestClient } from '@platform/testing';
import { GatewayTest, PASSWORD } from '../../testing/gateway-test.js';
import { storedRows } from '../../testing/stored-rows.js';
import { createTenant, newTenantId, tenantHistory } from '../../testing/tenants.js';

let gateway: GatewayTest;
let admin: TestClient;
beforeAll(async () => {
  gateway = await GatewayTest.start();
  admin = await gateway.signIn(await gateway.user({ role: 'admin' }));
});
afterAll(() => gateway.stop());

const create = (changes: Partial<CreateTenantRequest> = {}, client = admin) => createTenant(client, changes);
const audited = (id: string) => tenantHistory(gateway, id);

const DATABASE = { host: 'db.acme.example', database: 'acme', username: 'acme-app', password: 'a-secret-of-acme' };

describe('creating a tenant', () => {
  it('takes the defaults of the interface for what is left out', async () => {
    const tenant_id = newTenantId();
    const created = await create({ tenant_id, name: 'Acme Corporation' });
    expect(created).toEqual({
      id: tenant_id,
      tenant_id,
      name: 'Acme Corporation',
      db_backend: 'postgresql',
      isolation: 'shared',
      allowed_auth_methods: 'email,api_key',
      max_connections: 10,
      features: {},
      is_active: true,
      created_at: expect.any(String),
      updated_at: created.created_at,
      parent_tenant_id: null,
      can_resell: false,
      custom_pricing: {},
      ui_config: {},
    });
    expect(await admin.get(`/v1/tenants/${tenant_id}`)).toMatchObject({ status: 200, body: created });
  });

  it('takes its documented defaults when they are written out', async () => {
    const { CreateTenantRequest: documented } = readDocumentedSchemas();
    const defaults = Object.entries(documented?.properties ?? {}).filter(([, schema]) => 'default' in schema);
    const written = Object.fromEntries(defaults.map(([key, schema]) => [key, schema.default]));
    expect(written).toMatchObject({
      db_backend: 'postgresql',
      allowed_auth_methods: 'email,api_key',
      max_connections: 10,
      features: {},
    });
    expect(await create({ ...written, isolation: 'shared', db_config: null, parent_tenant_id: null })).toMatchObject(
      written,
    );
  });

  it('keeps what is given', async () => {
    const parent_tenant_id = (await create()).id;
    const given = {
      db_backend: 'postgresql',
      isolation: 'shared',
      allowed_auth_methods: 'api_key, email,email',
      max_connections: 500,
      features: { beta: true, nested: { limits: [1, null, 'x'] } },
      parent_tenant_id,
    } as const;
    const created = await create({ ...given, features: { ...given.features } });
    expect(created).toMatchObject({ ...given, allowed_auth_methods: 'api_key,email' });
  });

  it('calls it dedicated when it has a database of its own, and only then', async () => {
    for (const isolation of [{}, { isolation: null }, { isolation: 'dedicated' as const }]) {
      const { id, ...created } = await create({ db_config: DATABASE, ...isolation });
      expect(created).toMatchObject({ isolation: 'dedicated', db_backend: 'postgresql' });
      const { body } = await admin.patch<TenantResponse>(`/v1/tenants/${id}`, { db_config: null });
      expect(body).toMatchObject({ isolation: 'shared', db_backend: 'postgresql' });
      expect((await admin.patch<TenantResponse>(`/v1/tenants/${id}`, { db_config: DATABASE })).body.isolation).toBe(
        'dedicated',
      );
    }
    const { id } = await create();
    await gateway.service.query("UPDATE tenants SET isolation = 'dedicated' WHERE id = $1", [id]);
    expect((await admin.get<TenantResponse>(`/v1/tenants/${id}`)).body).toMatchObject({ isolation: 'shared' });
  });

  it('gives it its roles, so that people can join at once', async () => {
    const { id: tenant_id } = await create();
    const roles = await gateway.service.query(
      'SELECT name, is_system, default_scopes FROM roles WHERE tenant_id = $1 ORDER BY name',
      [tenant_id],
    );
    expect(roles).toEqual([
      { name: 'admin', is_system: true, default_scopes: ['*'] },
      { name: 'user', is_system: true, default_scopes: [] },
    ]);
    const joined = await gateway
      .backend()
      .post('/v1/auth/register', { email: gateway.newEmail(), password: PASSWORD, tenant_id });
    expect(joined.status).toBe(201);
  });

  it('works for a trusted backend too, and the audit log says who it was', async () => {
    const { id } = await create({ features: { beta: true } }, gateway.backend());
    expect(await audited(id)).toMatchObject([
      {
        action: 'tenant.created',
        actor_id: 'test',
        tenant_id: id,
        after_state: { name: 'Acme', features: { beta: true } },
      },
    ]);
  });

  it('succeeds for one of 50 who want the same id at once, and the others write nothing', async () => {
    const tenant_id = newTenantId();
    const attempts = Array.from({ length: 50 }, (_value, at) =>
      admin.post('/v1/tenants', { tenant_id, name: `Attempt ${at}` }),
    );
    const answers = await Promise.all(attempts);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 201);
    for (const answer of refused) expect(answer).toMatchObject({ status: 409, body: { code: 'tenant.id_taken' } });
    expect(await gateway.service.query('SELECT name FROM roles WHERE tenant_id = $1', [tenant_id])).toHaveLength(2);
    expect(await audited(tenant_id)).toHaveLength(1);
  });

  it('refuses an id that is taken, also by a tenant that was deleted', async () => {
    const { id: tenant_id } = await create();
    await admin.delete(`/v1/tenants/${tenant_id}`);
    for (const taken of [tenant_id, 'default']) {
      expect(await admin.post('/v1/tenants', { tenant_id: taken, name: 'Again' })).toMatchObject({ status: 409 });
    }
  });

  it.each([
    ['no id', { tenant_id: undefined }, ['tenant_id'], 'missing'],
    ['capitals in the id', { tenant_id: 'Acme' }, ['tenant_id'], 'string_pattern_mismatch'],
    ['the name of the platform’s scopes', { tenant_id: '_platform_' }, ['tenant_id'], 'string_pattern_mismatch'],
    ['an id of 64 characters', { tenant_id: 'a'.repeat(64) }, ['tenant_id'], 'string_pattern_mismatch'],
    ['no name', { name: undefined }, ['name'], 'missing'],
    ['an empty name', { name: '' }, ['name'], 'string_too_short'],
    ['a name of 201 characters', { name: 'x'.repeat(201) }, ['name'], 'string_too_long'],
    ['another kind of database', { db_backend: 'oracle' }, ['db_backend'], 'literal_error'],
    ['a database of which there is no driver', { db_backend: 'mariadb' }, ['db_backend'], 'literal_error'],
    [
      'a database of which there is no driver, and its settings',
      { db_backend: 'mariadb', db_config: DATABASE },
      ['db_backend'],
      'literal_error',
    ],
    ['a dedicated one without a database', { isolation: 'dedicated' }, ['db_config'], 'missing'],
    ['a dedicated one with null for a database', { isolation: 'dedicated', db_config: null }, ['db_config'], 'missing'],
    ['a shared one with a database', { isolation: 'shared', db_config: DATABASE }, ['db_config'], 'value_error'],
    ['another isolation', { isolation: 'none' }, ['isolation'], 'literal_error'],
    ['an unknown way to sign in', { allowed_auth_methods: 'email,magic' }, ['allowed_auth_methods'], 'value_error'],
    ['no way to sign in', { allowed_auth_methods: '' }, ['allowed_auth_methods'], 'value_error'],
    ['ways to sign in as a list', { allowed_auth_methods: ['email'] }, ['allowed_auth_methods'], 'string_type'],
    ['no connection', { max_connections: 0 }, ['max_connections'], 'greater_than_equal'],
    ['501 connections', { max_connections: 501 }, ['max_connections'], 'less_than_equal'],
    ['half a connection', { max_connections: 1.5 }, ['max_connections'], 'int_type'],
    ['features as a list', { features: ['beta'] }, ['features'], 'dict_type'],
    ['features of more than 16 KiB', { features: { text: 'x'.repeat(17_000) } }, ['features'], 'value_error'],
    ['a parent that does not exist', { parent_tenant_id: 'nobody' }, ['parent_tenant_id'], 'value_error'],
    [
      'itself as parent',
      { tenant_id: 'ouroboros', parent_tenant_id: 'ouroboros' },
      ['parent_tenant_id'],
      'value_error',
    ],
    ['the right to resell', { can_resell: true }, ['can_resell'], 'extra_forbidden'],
    ['settings of a database as text', { db_config: 'mysql://acme' }, ['db_config'], 'dict_type'],
    ['settings of a database as a list', { db_config: [DATABASE] }, ['db_config'], 'dict_type'],
    ['a database without a host', { db_config: { ...DATABASE, host: undefined } }, ['db_config', 'host'], 'missing'],
    [
      'a database without a password',
      { db_config: { ...DATABASE, password: '' } },
      ['db_config', 'password'],
      'string_too_short',
    ],
    ['a port too many', { db_config: { ...DATABASE, port: 65_536 } }, ['db_config', 'port'], 'less_than_equal'],
    ['another setting', { db_config: { ...DATABASE, ssl: true } }, ['db_config', 'ssl'], 'extra_forbidden'],
  ])('is refused with %s', async (_what, changes, loc, type) => {
    const answer = await admin.post('/v1/tenants', { tenant_id: 'refused', name: 'Refused', ...changes });
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', ...loc], type }] } });
    expect(JSON.stringify(answer.body)).not.toContain(DATABASE.password);
  });

  it.each([
    '/var/run/postgresql',
    'http://db',
    'db:3306',
    'db.acme/x',
    '-db',
    'db..acme',
    '127.1',
    '0x7f000001',
    '',
    'a b',
    'x'.repeat(254),
  ])('refuses the host %j', async (host) => {
    const answer = await admin.post('/v1/tenants', {
      tenant_id: 'refused',
      name: 'Refused',
      db_config: { ...DATABASE, host },
    });
    expect(answer).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'db_config', 'host'], type: 'value_error' }] },
    });
  });

  it.each(['db', 'db_1.internal', 'DB.Acme.Example', '192.0.2.7', '2001:db8::7'])('takes the host %j', async (host) => {
    await create({ db_config: { ...DATABASE, host } });
  });
});

describe('the settings of a database', () => {
  it('are nowhere to be read: not in answers, in the database, in its audit log or in the logs', async () => {
    const { id } = await create({ db_config: DATABASE });
    const again = { ...DATABASE, host: 'db-two.acme.example', password: 'another-secret-of-acme' };
    const updated = await admin.patch<TenantResponse>(`/v1/tenants/${id}`, { db_config: again });
    const listed = await admin.get('/v1/tenants');
    const [row] = await gateway.service.query('SELECT sealed_db_config FROM tenants WHERE id = $1', [id]);
    expect(row).toEqual({ sealed_db_config: expect.stringMatching(/^k1\./) });
    const everything = [updated.body, listed.body, await storedRows(gateway.service), gateway.service.logLines];
    for (const part of everything.map((value) => JSON.stringify(value))) {
      for (const secret of [DATABASE.password, DATABASE.host, DATABASE.username, again.password, again.host])
        expect(part).not.toContain(secret);
    }
    expect(updated.body).not.toHaveProperty('db_config');
    expect(await audited(id)).toMatchObject([
      { action: 'tenant.created', metadata: { has_db_config: true } },
      { action: 'tenant.updated', metadata: { db_config: 'set' } },
    ]);
  });

  it('stay when a change leaves them out, and go when it says null', async () => {
    const { id } = await create({ db_config: DATABASE });
    const hasSettings = async () => {
      const [row] = await gateway.service.query<{ sealed_db_config: string | null }>(
        'SELECT sealed_db_config FROM tenants WHERE id = $1',
        [id],
      );
      return row?.sealed_db_config !== null;
    };
    await admin.patch(`/v1/tenants/${id}`, { name: 'Renamed' });
    expect(await hasSettings()).toBe(true);
    expect((await admin.patch(`/v1/tenants/${id}`, { db_config: null })).status).toBe(200);
    expect(await hasSettings()).toBe(false);
    expect((await audited(id)).at(-1)).toMatchObject({ action: 'tenant.updated', metadata: { db_config: 'removed' } });
  });
});

describe('listing tenants', () => {
  it('is in pages of a stable order', async () => {
    const ids = [await create(), await create(), await create()].map(({ id }) => id);
    const { body: all } = await admin.get<TenantResponse[]>('/v1/tenants?limit=500');
    const listed = all.map(({ id }) => id);
    expect(listed).toEqual([...listed].sort());
    expect(listed).toEqual(expect.arrayContaining(['default', ...ids]));
    const pages = await Promise.all(
      listed.map((_id, offset) => admin.get<TenantResponse[]>(`/v1/tenants?limit=1&offset=${offset}`)),
    );
    expect(pages.map(({ body }) => body.map(({ id }) => id))).toEqual(listed.map((id) => [id]));
  });

  it('returns 100 unless told otherwise', async () => {
    await gateway.service.query(
      "INSERT INTO tenants (id, name) SELECT 'many-' || n, 'Many' FROM generate_series(1, 120) AS n",
    );
    expect((await admin.get<TenantResponse[]>('/v1/tenants')).body).toHaveLength(100);
    expect((await admin.get<TenantResponse[]>('/v1/tenants?limit=110')).body).toHaveLength(110);
  });

  it.each(['limit=0', 'limit=501', 'limit=ten', 'limit=', 'offset=-1', 'offset=1000001', 'limit=1&limit=2'])(
    'refuses ?%s',
    async (query) => {
      expect((await admin.get(`/v1/tenants?${query}`)).status).toBe(422);
    },
  );
});
