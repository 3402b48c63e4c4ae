import type { RegistryApp } from '@platform/contracts';
import { newId } from '@platform/platform';
import { HeldLock, type TestClient } from '@platform/testing';
import { backend, keyHolder, newApp, push, RegistryTest, tool, type KeyHolder } from '../testing/registry.js';

let test: RegistryTest;
let service: TestClient;
let owner: KeyHolder;
let stranger: KeyHolder;
beforeAll(async () => {
  test = await RegistryTest.start();
  service = backend(test);
  [owner, stranger] = await Promise.all([keyHolder(test), keyHolder(test)]);
});
afterAll(() => test.stop());

const refusal = (status: number, code: string) => ({ status, body: { code } });

describe('POST /v1/apps', () => {
  it('registers an app with what it is given', async () => {
    const app_id = newId('app');
    const request = {
      app_id,
      display_name: 'Invoices',
      description: 'Writes invoices.',
      category: 'finance',
      owner_id: owner.id,
      status: 'draft',
      required_scopes: ['billing:read'],
      config: { region: 'eu' },
    };
    const answer = await service.post<RegistryApp>('/v1/apps', request);
    expect(answer).toMatchObject({
      status: 201,
      body: {
        ...request,
        name: 'Invoices',
        version: null,
        tools: [],
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    });
    expect((await service.get(`/v1/apps/${app_id}`)).body).toEqual(answer.body);
  });

  it('needs little: an id and a name, in either spelling', async () => {
    const app_id = newId('app');
    expect(await service.post('/v1/apps', { app_id, name: 'Notes', config: null })).toMatchObject({
      status: 201,
      body: { display_name: 'Notes', name: 'Notes', status: 'active', category: 'general', owner_id: null, config: {} },
    });
  });

  it('takes null for what is absent', async () => {
    const absent = {
      description: null,
      category: null,
      status: null,
      owner_id: null,
      required_scopes: null,
      config: null,
    };
    for (const names of [
      { display_name: null, name: 'Notes' },
      { display_name: 'Notes', name: null },
    ]) {
      const answer = await service.post('/v1/apps', { app_id: newId('app'), ...absent, ...names });
      const defaults = {
        display_name: 'Notes',
        description: '',
        category: 'general',
        status: 'active',
        owner_id: null,
        required_scopes: [],
      };
      expect(answer).toMatchObject({ status: 201, body: { ...defaults, config: {} } });
    }
  });

  it('lets one of two registrations of the same id win', async () => {
    const request = { app_id: newId('app'), display_name: 'Invoices' };
    const answers = await Promise.all([service.post('/v1/apps', request), service.post('/v1/apps', request)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(answers.find(({ status }) => status === 409)).toMatchObject(refusal(409, 'app.exists'));
  });

  it('is for trusted backends and administrators of the platform: an id must not be taken before its developer has it', async () => {
    const request = { app_id: newId('app'), display_name: 'Invoices' };
    expect(await owner.client.post('/v1/apps', request)).toMatchObject(refusal(403, 'app.platform_only'));
    const narrow = await keyHolder(test, { role: 'admin' }, 'apps:*');
    expect(await narrow.client.post('/v1/apps', request)).toMatchObject(refusal(403, 'app.platform_only'));
    await test.gateway.service.query("INSERT INTO tenants (id, name) VALUES ('acme', 'Acme')");
    await test.gateway.service.query(
      "INSERT INTO roles (id, tenant_id, name, display_name, default_scopes) VALUES ('rol_acme', 'acme', 'admin', 'Admin', '{*}')",
    );
    const elsewhere = await keyHolder(test, { role: 'admin', tenant_id: 'acme' });
    expect(await elsewhere.client.post('/v1/apps', request)).toMatchObject(refusal(403, 'app.platform_only'));
    const admin = await keyHolder(test, { role: 'admin' });
    expect((await admin.client.post('/v1/apps', request)).status).toBe(201);
  });

  it.each([
    ['no id', { app_id: undefined }, 'app_id', 'missing'],
    ['an id of one character', { app_id: 'x' }, 'app_id', 'string_pattern_mismatch'],
    ['an id in upper case', { app_id: 'Invoices' }, 'app_id', 'string_pattern_mismatch'],
    ['an id of 65 characters', { app_id: 'x'.repeat(65) }, 'app_id', 'string_pattern_mismatch'],
    ['no name', { display_name: undefined }, 'display_name', 'missing'],
    ['null for the name, in both spellings', { display_name: null, name: null }, 'display_name', 'missing'],
    ['an empty name', { display_name: '' }, 'display_name', 'string_too_short'],
    ['a name of 256 characters', { display_name: 'x'.repeat(256) }, 'display_name', 'string_too_long'],
    ['an owner of 51 characters', { owner_id: 'x'.repeat(51) }, 'owner_id', 'string_pattern_mismatch'],
    ['an unknown status', { status: 'published' }, 'status', 'literal_error'],
    ['scopes that are no list', { required_scopes: '*' }, 'required_scopes', 'list_type'],
    ['a config that is a list', { config: [] }, 'config', 'dict_type'],
    ['a config of 17 KiB', { config: { text: 'x'.repeat(17 * 1024) } }, 'config', 'too_long'],
    ['a version, which nothing holds yet', { version: '1.0.0' }, 'version', 'extra_forbidden'],
    ['an unknown key', { colour: 'red' }, 'colour', 'extra_forbidden'],
  ])('refuses %s', async (_what, changes, key, type) => {
    const answer = await service.post('/v1/apps', { app_id: 'valid', display_name: 'Valid', ...changes });
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', key], type }] } });
  });
});

describe('GET /v1/apps', () => {
  const ids = async (client: TestClient, query: string) =>
    (await client.get<RegistryApp[]>(`/v1/apps?${query}`)).body.map(({ app_id }) => app_id);

  it('lists by id in pages, by status and owner', async () => {
    const developer = await keyHolder(test);
    const created = [];
    for (const status of ['active', 'active', 'active', 'draft', 'suspended']) {
      created.push(await newApp(service, { owner_id: developer.id, status }));
    }
    const active = created.slice(0, 3).sort();
    const mine = `owner_id=${developer.id}`;
    expect(await ids(service, mine)).toEqual(active);
    expect(await ids(service, `${mine}&limit=2`)).toEqual(active.slice(0, 2));
    expect(await ids(service, `${mine}&limit=2&offset=2`)).toEqual(active.slice(2));
    expect(await ids(service, `${mine}&status=suspended`)).toEqual(created.slice(4));
    expect(await ids(service, `${mine}&status=all`)).toEqual([...created].sort());
    expect(await ids(developer.client, `${mine}&status=all`)).toEqual([...created].sort());
    expect(await ids(stranger.client, `${mine}&status=all`)).toEqual(active);
    expect(await ids(stranger.client, `${mine}&status=draft`)).toEqual([]);
  });

  it.each([
    ['limit=0', 'limit', 'greater_than_equal'],
    ['limit=201', 'limit', 'less_than_equal'],
    ['offset=-1', 'offset', 'greater_than_equal'],
    ['status=gone', 'status', 'literal_error'],
    ['owner_id=a%20b', 'owner_id', 'string_pattern_mismatch'],
  ])('refuses %s', async (query, key, type) => {
    expect(await service.get(`/v1/apps?${query}`)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['query', key], type }] },
    });
  });
});

describe('GET /v1/apps/{app_id}', () => {
  it('names the functions of the served version', async () => {
    const id = await newApp(service);
    await push(service, id, [tool('list', { action_type: 'read' }), tool('delete', { action_type: 'destructive' })], {
      version: '1.0.0',
    });
    expect((await stranger.client.get<RegistryApp>(`/v1/apps/${id}`)).body).toMatchObject({
      version: '1.0.0',
      tools: [
        { name: 'list', action_type: 'read' },
        { name: 'delete', action_type: 'destructive' },
      ],
    });
  });

  it('answers 304 to who has it already', async () => {
    const id = await newApp(service);
    const { headers } = await service.get(`/v1/apps/${id}`);
    const etag = headers.get('etag') as string;
    expect(etag).toMatch(/^"[\w-]+"$/);
    const again = () => service.get(`/v1/apps/${id}`, { headers: { 'If-None-Match': etag } });
    expect(await again()).toMatchObject({ status: 304, body: '' });
    await service.put(`/v1/apps/${id}`, { description: 'new' });
    expect((await again()).status).toBe(200);
  });

  it.each(['draft', 'pending_review', 'suspended'])(
    'hides an app that is %s from all but its owner',
    async (status) => {
      const id = await newApp(service, { status, owner_id: owner.id });
      expect((await owner.client.get(`/v1/apps/${id}`)).status).toBe(200);
      const hidden = await stranger.client.get<Record<string, unknown>>(`/v1/apps/${id}`);
      const absent = await stranger.client.get<Record<string, unknown>>('/v1/apps/no-such-app');
      expect(hidden).toMatchObject(refusal(404, 'app.not_found'));
      expect({ ...hidden.body, request_id: '' }).toEqual({ ...absent.body, request_id: '' });
    },
  );
});

describe.each(['put', 'patch'] as const)('%s /v1/apps/{app_id}', (method) => {
  it('changes what is given and keeps the rest', async () => {
    const id = await newApp(service, { description: 'old', category: 'finance', config: { a: 1 } });
    expect(
      await service[method](`/v1/apps/${id}`, { name: 'Bills', config: { b: 2 }, owner_id: owner.id }),
    ).toMatchObject({
      status: 200,
      body: { display_name: 'Bills', description: 'old', category: 'finance', config: { b: 2 }, owner_id: owner.id },
    });
  });

  it('leaves the app and its tag alone when nothing changes', async () => {
    const id = await newApp(service, { description: 'same' });
    const { headers } = await service.get(`/v1/apps/${id}`);
    const answer = await service[method](`/v1/apps/${id}`, { description: 'same', config: {} });
    expect(answer.headers.get('etag')).toBe(headers.get('etag'));
  });

  it('serves another version that is held, and no other', async () => {
    const id = await newApp(service, { owner_id: owner.id });
    await push(service, id, [tool('one')], { version: '1.0.0' });
    await push(service, id, [tool('two')], { version: '2.0.0', release: false });
    expect(await owner.client[method](`/v1/apps/${id}`, { version: '2.0.0' })).toMatchObject(
      refusal(403, 'app.platform_only'),
    );
    expect((await owner.client[method](`/v1/apps/${id}`, { version: '1.0.0' })).status).toBe(200);
    expect(await service[method](`/v1/apps/${id}`, { version: '2.0.0' })).toMatchObject({
      status: 200,
      body: { version: '2.0.0', tools: [{ name: 'two' }] },
    });
    expect(await service[method](`/v1/apps/${id}`, { version: '3.0.0' })).toMatchObject(
      refusal(409, 'app.version_not_held'),
    );
    expect((await service.get<RegistryApp>(`/v1/apps/${id}`)).body.version).toBe('2.0.0');
  });

  it('refuses a change that was meant for another state', async () => {
    const id = await newApp(service);
    const etag = (await service.get(`/v1/apps/${id}`)).headers.get('etag') as string;
    const change = (description: string, ifMatch: string) =>
      service[method](`/v1/apps/${id}`, { description }, { headers: { 'If-Match': ifMatch } });
    const answers = await Promise.all(['one', 'two', 'three'].map((description) => change(description, etag)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
    const late = answers.find(({ status }) => status === 412);
    expect(late).toMatchObject(refusal(412, 'precondition_failed'));
    const now = late?.headers.get('etag') as string;
    expect((await change('four', `W/${now}`)).status).toBe(412);
    expect((await change('four', `"other", ${now}`)).status).toBe(200);
    expect((await change('five', '*')).status).toBe(200);
  });

  it('of what the platform has pushed a manifest of is for its owner as to its config alone', async () => {
    const id = await newApp(service, {
      owner_id: owner.id,
      description: 'Reviewed.',
      required_scopes: ['billing:read'],
    });
    await push(owner.client, id, [tool('one')], { version: '0.1.0', release: false });
    expect((await owner.client[method](`/v1/apps/${id}`, { category: 'finance' })).status).toBe(200);
    await push(service, id, [tool('one')], { version: '1.0.0' });
    const app = async () => (await service.get<RegistryApp>(`/v1/apps/${id}`)).body;
    const before = await app();
    for (const change of [
      { display_name: 'Your bank' },
      { name: 'Your bank' },
      { description: 'Other words.' },
      { category: 'banking' },
      { required_scopes: [] },
      { required_scopes: ['billing:read', 'billing:write'] },
      { config: { region: 'eu' }, description: 'Other words.' },
      { status: 'draft' },
      { owner_id: stranger.id },
    ])
      expect(await owner.client[method](`/v1/apps/${id}`, change)).toMatchObject(refusal(403, 'app.platform_only'));
    expect(await app()).toEqual(before);
    const { display_name, name, description, category, status, owner_id, required_scopes, version } = before;
    const same = { display_name, name, description, category, status, owner_id, required_scopes, version };
    expect((await owner.client[method](`/v1/apps/${id}`, same)).status).toBe(200);
    expect((await owner.client[method](`/v1/apps/${id}`, { description: null, status: null })).status).toBe(200);
    expect(await app()).toEqual(before);
    expect(await owner.client[method](`/v1/apps/${id}`, { ...same, config: { region: 'eu' } })).toMatchObject({
      status: 200,
      body: { ...same, config: { region: 'eu' } },
    });
    const admin = await keyHolder(test, { role: 'admin' });
    expect((await admin.client[method](`/v1/apps/${id}`, { description: 'By the platform.' })).status).toBe(200);
  });

  it('of the owner, behind the first push of the platform, changes nothing that was not reviewed', async () => {
    const id = await newApp(service, { owner_id: owner.id });
    const held = await HeldLock.acquire(
      test.registry,
      'SELECT FROM apps WHERE app_id = $1 FOR NO KEY UPDATE',
      [id],
      'registry',
    );
    const pushed = push(service, id, [tool('one')], { version: '1.0.0' });
    await held.waitForBlocked(1);
    const changed = owner.client[method](`/v1/apps/${id}`, { display_name: 'Your bank' });
    await held.waitForBlocked(2);
    await held.release();
    await pushed;
    expect(await changed).toMatchObject(refusal(403, 'app.platform_only'));
    expect((await service.get(`/v1/apps/${id}`)).body).toMatchObject({ display_name: 'Invoices', version: '1.0.0' });
  });

  it('is for the owner, who cannot give it away or publish it', async () => {
    const id = await newApp(service, { owner_id: owner.id });
    expect((await owner.client[method](`/v1/apps/${id}`, { description: 'mine' })).status).toBe(200);
    expect(await stranger.client[method](`/v1/apps/${id}`, { description: 'mine' })).toMatchObject(
      refusal(403, 'app.not_yours'),
    );
    for (const change of [{ status: 'suspended' }, { owner_id: stranger.id }, { owner_id: null }]) {
      expect(await owner.client[method](`/v1/apps/${id}`, change)).toMatchObject(refusal(403, 'app.platform_only'));
    }
    const draft = await newApp(service, { owner_id: owner.id, status: 'draft' });
    expect(await owner.client[method](`/v1/apps/${draft}`, { status: 'active' })).toMatchObject(
      refusal(403, 'app.platform_only'),
    );
    expect(await stranger.client[method](`/v1/apps/${draft}`, { description: 'x' })).toMatchObject(
      refusal(404, 'app.not_found'),
    );
  });
});

describe('DELETE /v1/apps/{app_id}', () => {
  it('takes everything with it, also from those who had it installed', async () => {
    const id = await newApp(service, { owner_id: owner.id });
    await push(service, id, [tool('one')]);
    const [user, other] = [newId('usr'), newId('usr')]; // not users of the gateway, which can install apps for its own users at any time
    for (const installer of [user, other]) await service.post(`/v1/users/${installer}/extensions`, { app_id: id });
    expect(await service.delete(`/v1/apps/${id}`)).toMatchObject({
      status: 200,
      body: { app_id: id, status: 'deleted', installs_removed: 2 },
    });
    for (const path of [`/v1/apps/${id}`, `/v1/apps/${id}/tools`, `/v1/apps/${id}/settings`]) {
      expect(await service.get(path)).toMatchObject(refusal(404, 'app.not_found'));
    }
    expect((await service.get(`/v1/users/${user}/extensions`)).body).toEqual([]);
    expect(await service.delete(`/v1/apps/${id}`)).toMatchObject(refusal(404, 'app.not_found'));
    // Another app can use the id; no user has installed that app.
    await service.post('/v1/apps', { app_id: id, display_name: 'Another' });
    expect((await service.get(`/v1/users/${user}/extensions`)).body).toEqual([]);
  });

  it('leaves nobody with an app that is gone, whoever comes first', async () => {
    const id = await newApp(service);
    const installs = Array.from({ length: 8 }, (_value, at) =>
      service.post(`/v1/users/usr_${id.slice(4)}_${at}/extensions`, { app_id: id }),
    );
    const [deleted, ...installed] = await Promise.all([service.delete(`/v1/apps/${id}`), ...installs]);
    expect(deleted.status).toBe(200);
    for (const { status } of installed) expect([201, 404]).toContain(status);
    const [row] = await test.registry.query<{ count: string }>(
      'SELECT count(*) FROM installs WHERE app_id = $1 AND removed_at IS NULL',
      [id],
    );
    expect(row?.count).toBe('0');
  });

  it('is not for the owner, who goes through the gateway', async () => {
    const id = await newApp(service, { owner_id: owner.id });
    expect(await owner.client.delete(`/v1/apps/${id}`)).toMatchObject(refusal(403, 'app.platform_only'));
  });
});
