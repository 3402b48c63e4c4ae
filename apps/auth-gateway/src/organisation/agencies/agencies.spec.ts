import type { AgencyResponse, KeyResponse } from '@platform/contracts';
import { AgencyTest } from '../../testing/agency-test.js';
import { expectNothingStored } from '../../testing/stored-rows.js';

let test: AgencyTest;
beforeAll(async () => (test = await AgencyTest.start()));
afterAll(() => test.stop());

const ACME = { display_name: 'Acme' };
const withoutRequest = (body: unknown) => ({ ...(body as object), request_id: '' });

describe('an agency', () => {
  it('is created, read and listed, and the audit log tells who did it', async () => {
    const settings = { logo_url: '/acme.svg', retention_days: 30, extra: { region: 'eu' } };
    const answer = await test.admin.post<AgencyResponse>('/v1/agencies', {
      agency_id: 'acme',
      display_name: 'Acme Travel',
      domain: ' ACME.Example.com ',
      settings,
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      agency_id: 'acme',
      display_name: 'Acme Travel',
      domain: 'acme.example.com',
      settings: { ...settings, logo_dark_url: '/acme.svg' },
      theme: null,
      created_at: expect.any(String),
    });
    expect(await test.admin.get('/v1/agencies/acme')).toMatchObject({ status: 200, body: answer.body });
    expect((await test.admin.get<AgencyResponse[]>('/v1/agencies')).body).toContainEqual(answer.body);
    expect(await test.auditEntries('acme')).toMatchObject([
      {
        action: 'agency.created',
        actor_type: 'user',
        tenant_id: 'default',
        after_state: {
          display_name: 'Acme Travel',
          domain: 'acme.example.com',
          settings: { logo_url: '/acme.svg', retention_days: 30 },
        },
        metadata: { extra_keys: ['region'] },
      },
    ]);
  });

  it('needs no more than an id and a name', async () => {
    expect(await test.create({ domain: null, settings: null })).toMatchObject({
      domain: null,
      settings: {},
      theme: null,
    });
    expect(await test.create({ settings: { logo_url: null, extra: { gone: null } } })).toMatchObject({
      settings: { extra: {} },
    });
  });

  it('has an id of its own within its tenant, and a domain of its own on the platform', async () => {
    const other = await test.stranger();
    const id = test.newId();
    await test.create({ agency_id: id, domain: 'bücher.example' });
    await test.expectRefusals(409, 'agency.id_taken', () => [
      test.admin.post('/v1/agencies', { ...ACME, agency_id: id }),
    ]);
    await test.expectRefusals(409, 'agency.domain_taken', () =>
      [test.admin, other.client].flatMap((client) =>
        ['xn--bcher-kva.example', 'BÜCHER.example'].map((domain) =>
          client.post('/v1/agencies', { ...ACME, agency_id: test.newId(), domain }),
        ),
      ),
    );
    expect(await test.create({ agency_id: id }, other.client)).toMatchObject({ agency_id: id, domain: null });
  });

  it('is one of its id, and one of its domain, of 50 made at once', async () => {
    const id = test.newId();
    const sameId = await Promise.all(
      Array.from({ length: 50 }, () => test.admin.post('/v1/agencies', { ...ACME, agency_id: id })),
    );
    const body = { ...ACME, domain: 'race.example.com' };
    const sameDomain = await Promise.all(
      Array.from({ length: 50 }, () => test.admin.post('/v1/agencies', { ...body, agency_id: test.newId() })),
    );
    for (const answers of [sameId, sameDomain]) {
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
    }
    expect(await test.auditEntries(id)).toHaveLength(1);
  });

  it.each([
    ['no id', { agency_id: undefined }, 'agency_id', 'missing'],
    ['an id of two characters', { agency_id: 'ab' }, 'agency_id', 'string_pattern_mismatch'],
    ['an id of 51 characters', { agency_id: 'a'.repeat(51) }, 'agency_id', 'string_pattern_mismatch'],
    ['an id with capitals', { agency_id: 'Acme' }, 'agency_id', 'string_pattern_mismatch'],
    ['a path for an id', { agency_id: '../acme' }, 'agency_id', 'string_pattern_mismatch'],
    ['the id of the placeholder', { agency_id: 'default' }, 'agency_id', 'string_pattern_mismatch'],
    ['an object for an id', { agency_id: { $gt: '' } }, 'agency_id', 'string_type'],
    ['no name', { display_name: undefined }, 'display_name', 'missing'],
    ['an empty name', { display_name: '' }, 'display_name', 'string_too_short'],
    ['a name of 256 characters', { display_name: 'x'.repeat(256) }, 'display_name', 'string_too_long'],
    ['an IP address for a domain', { domain: '127.0.0.1' }, 'domain', 'value_error'],
    ['an address for a domain', { domain: 'https://acme.example.com' }, 'domain', 'value_error'],
    ['a word for a domain', { domain: 'localhost' }, 'domain', 'value_error'],
    ['a number for a domain', { domain: 7 }, 'domain', 'string_type'],
    ['a list for settings', { settings: [] }, 'settings', 'dict_type'],
    ['text for settings', { settings: 'x' }, 'settings', 'dict_type'],
    ['a theme', { theme: {} }, 'theme', 'extra_forbidden'],
    ['a tenant', { tenant_id: 'other' }, 'tenant_id', 'extra_forbidden'],
  ])('is refused with %s', async (_what, changes, key, type) => {
    const issues = await test.expectInvalid('POST', '/v1/agencies', { agency_id: test.newId(), ...ACME, ...changes });
    expect(issues).toMatchObject([{ loc: ['body', key], type }]);
  });

  it('is refused with settings that an update would be refused with', async () => {
    const settings = { logo_url: 'javascript:x', theme: {}, extra: { nested: { client_secret: 'x' } } };
    const issues = await test.expectInvalid('POST', '/v1/agencies', { agency_id: test.newId(), ...ACME, settings });
    expect(issues.map(({ loc }) => loc.join('.')).sort()).toEqual([
      'body.settings.extra.nested.client_secret',
      'body.settings.logo_url',
      'body.settings.theme',
    ]);
  });
});

describe('the list of agencies', () => {
  it('has the oldest first, in pages that neither skip nor repeat while others are added', async () => {
    const { tenant, client } = await test.stranger();
    await test.gateway.service.query(
      `INSERT INTO agencies (tenant_id, agency_id, display_name, created_at)
       SELECT $1, 'agency-' || lpad(at::text, 3, '0'), 'A', timestamptz '2020-01-01' + (at / 10) * interval '1 second'
       FROM generate_series(0, 119) AS at ORDER BY random()`,
      [tenant],
    );
    const page = async (query: string) =>
      (await client.get<AgencyResponse[]>(`/v1/agencies?${query}`)).body.map(({ agency_id }) => agency_id);
    const all = await page('limit=500');
    expect(all).toEqual([...all].sort());
    expect(all).toHaveLength(120);
    expect(await page('')).toEqual(all.slice(0, 100));
    const paged: string[] = [];
    for (let offset = 0; offset < 120; offset += 7) {
      paged.push(...(await page(`limit=7&offset=${offset}`)));
      await test.create({ agency_id: `added-${offset}` }, client);
    }
    expect(paged.filter((id) => id.startsWith('agency-'))).toEqual(all);
    expect(await page('offset=1000')).toEqual([]);
  });

  it.each(['limit=0', 'limit=501', 'limit=x', 'limit=1.5', 'offset=-1', 'offset=x'])('refuses %s', async (query) => {
    const answer = await test.admin.get(`/v1/agencies?${query}`);
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['query', query.split('=')[0]] }] } });
  });
});

describe("one's own agency", () => {
  it('is the one that one belongs to', async () => {
    const agency = await test.create({ display_name: 'Mine', settings: { logo_url: '/mine.svg' } });
    const user = await test.gateway.user({ agency_id: agency.agency_id });
    const client = await test.gateway.signIn(user);
    expect(await client.get('/v1/agencies/me')).toMatchObject({ status: 200, body: agency });
    const { body: key } = await client.post<KeyResponse>('/v1/keys', { name: 'key', scopes: 'profile:read' });
    expect((await test.gateway.client().withToken(key.key).get('/v1/agencies/me')).body).toEqual(agency);
    await test.gateway.service.query('UPDATE users SET agency_id = NULL WHERE id = $1', [user.id]);
    expect((await client.get('/v1/agencies/me')).body).toMatchObject({ agency_id: 'default' });
  });

  it('is a placeholder for whoever has none, in every tenant', async () => {
    const { client } = await test.stranger();
    const placeholder = {
      agency_id: 'default',
      domain: null,
      settings: {},
      theme: null,
      created_at: expect.any(String),
    };
    const user = await test.gateway.signIn(await test.gateway.user());
    expect((await user.get('/v1/agencies/me')).body).toEqual({ ...placeholder, display_name: 'Default' });
    expect((await client.get('/v1/agencies/me')).body).toEqual({ ...placeholder, display_name: 'Strangers' });
    expect(await test.admin.get('/v1/agencies/default')).toMatchObject({
      status: 404,
      body: { code: 'agency.not_found' },
    });
  });

  it('is asked for by users only', async () => {
    expect((await test.gateway.client().get('/v1/agencies/me')).status).toBe(401);
    expect((await test.gateway.backend().get('/v1/agencies/me')).status).toBe(401);
  });

  it('exists in one’s own tenant, the database sees to it', async () => {
    const other = await test.stranger();
    const { agency_id } = await test.create({}, other.client);
    for (const id of [agency_id, 'nothing']) {
      await expect(test.gateway.user({ agency_id: id })).rejects.toMatchObject({
        driverError: { constraint: 'users_agency_fkey' },
      });
    }
    const invalid = await test.admin.post('/v1/users', {
      email: test.gateway.newEmail(),
      password: 'a horse of its own',
      agency_id,
    });
    expect(invalid).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'agency_id'] }] } });
  });
});

describe('who may see and create agencies', () => {
  const paths = (id: string) => ['/v1/agencies', `/v1/agencies/${id}`];

  it('is who holds the scope, and no plain user', async () => {
    const { agency_id } = await test.create();
    const user = await test.gateway.signIn(await test.gateway.user());
    const reader = await test.gateway.signIn(await test.gateway.user({ scopes: ['agencies:read'] }));
    await test.expectRefusals(401, 'not_authenticated', () =>
      paths(agency_id).map((path) => test.gateway.client().get(path)),
    );
    await test.expectRefusals(403, 'insufficient_scope', () => [
      ...paths(agency_id).map((path) => user.get(path)),
      user.post('/v1/agencies', { ...ACME, agency_id: 'mine' }),
      reader.post('/v1/agencies', { ...ACME, agency_id: 'mine' }),
    ]);
    for (const path of paths(agency_id)) expect((await reader.get(path)).status).toBe(200);
  });

  it('is an API key as far as its scopes go', async () => {
    const { agency_id } = await test.create();
    const { body: key } = await test.admin.post<KeyResponse>('/v1/keys', { name: 'reader', scopes: 'agencies:read' });
    const client = test.gateway.client().withHeaders({ 'x-api-key': key.key });
    for (const path of paths(agency_id)) expect((await client.get(path)).status).toBe(200);
    await test.expectRefusals(403, 'insufficient_scope', () => [
      client.post('/v1/agencies', { ...ACME, agency_id: 'mine' }),
      client.put(`/v1/agencies/${agency_id}/settings`, { retention_days: 1 }),
      client.put(`/v1/agencies/${agency_id}/theme`, {}),
      client.delete(`/v1/agencies/${agency_id}/theme`),
    ]);
  });

  it('writes no settings with the scope alone, neither later nor while creating', async () => {
    const { agency_id } = await test.create();
    const writer = await test.gateway.signIn(await test.gateway.user({ scopes: ['agencies:*'] }));
    await test.expectRefusals(403, 'insufficient_scope', () => [
      writer.post('/v1/agencies', { ...ACME, agency_id: test.newId(), settings: { logo_url: '/x.svg' } }),
      writer.post('/v1/agencies', { ...ACME, agency_id: test.newId(), settings: { extra: { a: 1 } } }),
      writer.put(`/v1/agencies/${agency_id}/settings`, { retention_days: 1 }),
      writer.put(`/v1/agencies/${agency_id}/theme`, {}),
      writer.delete(`/v1/agencies/${agency_id}/theme`),
    ]);
    expect(await test.create({ settings: {} }, writer)).toMatchObject({ settings: {} });
  });

  it('is a trusted backend: for the tenant that it names, or that of the user for whom it acts', async () => {
    const { tenant, userId } = await test.stranger();
    const backend = test.gateway.backend();
    const ours = await test.create({}, backend);
    const { body: theirs } = await backend.post<AgencyResponse>(`/v1/agencies?tenant_id=${tenant}`, {
      ...ACME,
      agency_id: 'theirs',
    });
    const acting = test.gateway.actingFor(userId);
    const { body: acted } = await acting.post<AgencyResponse>('/v1/agencies', { ...ACME, agency_id: 'acted' });
    const elsewhere = await test.expectInvalid(
      'POST',
      '/v1/agencies?tenant_id=default',
      { ...ACME, agency_id: 'acted' },
      acting,
    );
    expect(elsewhere).toMatchObject([{ loc: ['query', 'tenant_id'], type: 'value_error' }]);
    expect((await acting.get('/v1/agencies')).body).toEqual([theirs, acted]);
    expect((await backend.get(`/v1/agencies?tenant_id=${tenant}`)).body).toEqual([theirs, acted]);
    expect((await backend.get(`/v1/agencies/${ours.agency_id}`)).status).toBe(200);
    expect((await backend.get('/v1/agencies/acted')).status).toBe(404);
    expect(await test.auditEntries('acted')).toMatchObject([
      { actor_type: 'service', actor_id: 'test', on_behalf_of: userId, tenant_id: tenant },
    ]);
    const unknown = await test.expectInvalid(
      'POST',
      '/v1/agencies?tenant_id=unknown',
      { ...ACME, agency_id: 'theirs' },
      backend,
    );
    expect(unknown).toMatchObject([{ loc: ['query', 'tenant_id'], type: 'value_error' }]);
  });

  it('is nobody of another tenant, who cannot even tell that there is one', async () => {
    const { client, tenant } = await test.stranger();
    const { agency_id } = await test.create();
    const path = `/v1/agencies/${agency_id}`;
    const attempts = (at: string) => [
      client.get(at),
      client.put(`${at}/settings`, { retention_days: 1 }),
      client.put(`${at}/theme`, {}),
      client.delete(`${at}/theme`),
    ];
    await expectNothingStored(test.gateway.service, async () => {
      const unknown = await Promise.all(attempts('/v1/agencies/never-there'));
      for (const [at, answer] of (await Promise.all(attempts(path))).entries()) {
        expect(answer).toMatchObject({ status: 404, body: { code: 'agency.not_found' } });
        expect(withoutRequest(answer.body)).toEqual(withoutRequest(unknown[at]?.body));
      }
    });
    expect(await test.expectInvalid('GET', `${path}?tenant_id=default`, undefined, client)).toMatchObject([
      { loc: ['query', 'tenant_id'] },
    ]);
    expect((await client.get('/v1/agencies')).body).toEqual([]);
    const mine = await test.create({ agency_id }, client);
    expect((await client.get('/v1/agencies')).body).toEqual([mine]);
    await client.put(`${path}/settings`, { retention_days: 9 });
    expect((await test.admin.get<AgencyResponse>(path)).body.settings).toEqual({});
    expect((await test.auditEntries(agency_id)).map((entry) => entry.tenant_id)).toEqual(['default', tenant, tenant]);
  });
});
