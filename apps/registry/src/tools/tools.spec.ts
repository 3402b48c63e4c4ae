import type { ToolManifestResponse } from '@platform/contracts';
import type { TestClient } from '@platform/testing';
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
const tools = (id: string) => `/v1/apps/${id}/tools`;
const get = (id: string, client = service) => client.get<ToolManifestResponse>(tools(id));
const put = (id: string, body: Record<string, unknown>, headers = {}) =>
  service.put(tools(id), { tools: [], skeleton_sections: [], ...body }, { headers });

describe('PUT /v1/apps/{app_id}/tools', () => {
  it('replaces both lists, and what is served with them', async () => {
    const id = await newApp(service);
    const section = {
      section_name: 'open',
      refresh_activity: 'refresh',
      alert_activity: 'alert',
      ttl: 60,
      alert_on_change: true,
    };
    const answer = await put(id, { tools: [tool('one'), tool('two')], skeleton_sections: [section], version: '1.0.0' });
    expect(answer).toMatchObject({
      status: 200,
      body: { app_id: id, version: '1.0.0', tools_registered: 2, skeleton_sections_registered: 1, released: true },
    });
    expect((await get(id)).body).toEqual({
      app_id: id,
      version: '1.0.0',
      tools: [tool('one'), tool('two')],
      skeleton_sections: [section],
    });
    await put(id, { tools: [tool('three')], version: '1.0.0' });
    expect((await get(id)).body).toEqual({
      app_id: id,
      version: '1.0.0',
      tools: [tool('three')],
      skeleton_sections: [],
    });
  });

  it('takes the rows of an older pipeline, and says cautiously what they leave out', async () => {
    const id = await newApp(service);
    const row = {
      activity: 'list_invoices',
      name: 'list',
      description: 'Lists.',
      domains: ['finance'],
      required_scopes: ['*'],
    };
    await put(id, {
      tools: [row, { name: 'bare' }],
      skeleton_sections: [{ name: 'open', refresh_activity: 'refresh' }],
      version: null,
    });
    expect((await get(id)).body).toEqual({
      app_id: id,
      version: '0.0.0',
      tools: [
        { ...row, action_type: 'destructive', params_schema: { type: 'object' }, return_schema: null },
        {
          name: 'bare',
          description: '',
          action_type: 'destructive',
          params_schema: { type: 'object' },
          return_schema: null,
          required_scopes: ['*'],
        },
      ],
      skeleton_sections: [
        { section_name: 'open', refresh_activity: 'refresh', alert_activity: null, ttl: 300, alert_on_change: false },
      ],
    });
    await put(id, { tools: [tool('one')], version: '1.0.0' });
    await put(id, { tools: [tool('two')] }); // the served version
    expect((await get(id)).body).toMatchObject({ version: '1.0.0', tools: [{ name: 'two' }] });
  });

  it('holds a manifest without serving it', async () => {
    const id = await newApp(service);
    const unreleased = { tools: [tool('new')], version: '2.0.0', release: false };
    expect((await put(id, unreleased)).body).toMatchObject({ released: false });
    expect((await get(id)).body).toEqual({ app_id: id, version: null, tools: [], skeleton_sections: [] });
    await put(id, { tools: [tool('old')], version: '1.0.0' });
    await put(id, unreleased);
    expect((await get(id)).body).toMatchObject({ version: '1.0.0' });
    expect((await service.get(`${tools(id)}?version=2.0.0`)).body).toMatchObject({
      version: '2.0.0',
      tools: [{ name: 'new' }],
    });
    await service.put(`/v1/apps/${id}`, { version: '2.0.0' });
    // Repeating a push, as after a lost answer, succeeds. It cannot replace the served version
    // with other content.
    expect((await put(id, unreleased)).body).toMatchObject({ released: true });
    expect(await put(id, { ...unreleased, tools: [] })).toMatchObject(refusal(409, 'app.version_is_served'));
    expect(await put(id, { release: false })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'version'], type: 'missing' }] },
    });
  });

  it('holds the 50 manifests that were pushed last, and the served one', async () => {
    const id = await newApp(service);
    await push(service, id, [tool('served')], { version: '0.1.0' });
    for (let at = 0; at < 52; at++) await push(service, id, [], { version: `1.0.${at}`, release: false });
    await push(service, id, [], { version: '1.0.2', release: false }); // pushed again, so no longer the oldest
    await push(service, id, [], { version: '1.0.52', release: false });
    const rows = await test.registry.query<{ version: string }>('SELECT version FROM manifests WHERE app_id = $1', [
      id,
    ]);
    const versions = new Set(rows.map(({ version }) => version));
    expect(versions.size).toBe(51);
    expect(['0.1.0', '1.0.2', '1.0.4', '1.0.52'].map((version) => versions.has(version))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(['1.0.0', '1.0.1', '1.0.3'].map((version) => versions.has(version))).toEqual([false, false, false]);
  });

  it('refuses a release that was meant for another state', async () => {
    const id = await newApp(service);
    const none = (await get(id)).headers.get('etag') as string;
    const release = (version: string, etag: string) =>
      put(id, { tools: [tool(`of-${version}`)], version }, { 'If-Match': etag });
    const answers = await Promise.all(['1.0.0', '1.0.1', '1.0.2'].map((version) => release(version, none)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
    const served = await get(id);
    expect((await release('2.0.0', served.headers.get('etag') as string)).status).toBe(200);
    expect((await get(id)).body.version).toBe('2.0.0');
    expect(await release('3.0.0', served.headers.get('etag') as string)).toMatchObject(
      refusal(412, 'precondition_failed'),
    );
  });

  it('serves a whole manifest, whatever is pushed at the same time', async () => {
    const id = await newApp(service);
    const pushes = Array.from({ length: 12 }, (_value, at) =>
      put(id, { tools: [tool(`a-${at}`), tool(`b-${at}`)], version: `1.0.${at % 3}`, release: at % 2 === 0 }),
    );
    for (const { status } of await Promise.all(pushes)) expect([200, 409]).toContain(status);
    const { body } = await get(id);
    const [first, second] = body.tools.map(({ name }) => name);
    expect(second).toBe(first?.replace('a-', 'b-'));
    expect(body.version).toBe(`1.0.${Number(first?.slice(2)) % 3}`);
  });

  it('takes back what it serves, from whoever may push, and changes nothing', async () => {
    const id = await newApp(service, { owner_id: owner.id });
    const section = { section_name: 'open', refresh_activity: 'refresh' };
    await put(id, { tools: [{ name: 'bare' }], skeleton_sections: [section], version: '1.0.0' });
    const stored = () => test.registry.query('SELECT * FROM registry.manifests WHERE app_id = $1', [id]);
    const [before, rows] = [await get(id), await stored()];
    for (const client of [service, owner.client]) {
      for (const more of [{}, { release: false }, { release: true }]) {
        const answer = await client.put(tools(id), Object.assign({}, before.body, more));
        expect(answer).toMatchObject({ status: 200, body: { version: '1.0.0', released: true, tools_registered: 1 } });
      }
    }
    expect([(await get(id)).headers.get('etag'), await stored()]).toEqual([before.headers.get('etag'), rows]);
    expect(await service.put(tools(id), Object.assign({}, before.body, { app_id: 'another' }))).toMatchObject({
      status: 422,
    });
  });

  it('holds what the owner pushes for them to see, and serves it when a deploy does', async () => {
    const id = await newApp(service, { owner_id: owner.id });
    await put(id, { tools: [tool('served')], version: '1.0.0' });
    await put(id, { tools: [tool('held')], version: '1.1.0', release: false });
    const byOwner = (body: object) => owner.client.put(tools(id), { skeleton_sections: [], ...body });
    for (const version of ['1.0.0', undefined]) {
      expect(await byOwner({ tools: [tool('evil')], version })).toMatchObject(refusal(409, 'app.version_is_served'));
    }
    expect(await byOwner({ tools: [tool('evil')], version: '1.1.0' })).toMatchObject(
      refusal(409, 'app.version_is_held'),
    );
    expect((await byOwner({ tools: [tool('held')], version: '1.1.0' })).body).toMatchObject({ released: false });
    for (const name of ['first', 'own']) {
      const answer = await byOwner({ tools: [tool(name)], version: '2.0.0', release: true });
      expect(answer).toMatchObject({ status: 200, body: { version: '2.0.0', released: false } });
    }
    const catalog = async () => (await service.get<{ apps: object[] }>(`/v1/catalog/tools`)).body;
    expect((await get(id, stranger.client)).body).toMatchObject({ version: '1.0.0', tools: [{ name: 'served' }] });
    expect(JSON.stringify(await catalog())).not.toContain('"own"');
    expect((await owner.client.get(`${tools(id)}?version=2.0.0`)).body).toMatchObject({ tools: [{ name: 'own' }] });
    expect((await stranger.client.get(`${tools(id)}?version=2.0.0`)).status).toBe(404);
    expect(await owner.client.put(`/v1/apps/${id}`, { version: '2.0.0' })).toMatchObject(
      refusal(403, 'app.platform_only'),
    );
    expect(await service.put(`/v1/apps/${id}`, { version: '2.0.0' })).toMatchObject(
      refusal(409, 'app.version_not_held'),
    );
    // A deploy must not treat the pushed version as its own.
    expect((await service.get(`${tools(id)}?version=2.0.0`)).status).toBe(404);
    await put(id, { tools: [tool('own')], version: '2.0.0', release: false });
    expect((await service.put(`/v1/apps/${id}`, { version: '2.0.0' })).status).toBe(200);
    expect((await get(id, stranger.client)).body).toMatchObject({ version: '2.0.0', tools: [{ name: 'own' }] });
  });

  it('shows what the owner pushed to nobody else, and takes the same of the platform for the platform’s', async () => {
    const id = await newApp(service, { owner_id: owner.id });
    const pushed = { tools: [tool('own')], skeleton_sections: [], version: '1.0.0', release: false };
    expect((await owner.client.put(tools(id), pushed)).status).toBe(200);
    const administrator = await keyHolder(test, { role: 'admin' });
    for (const client of [service, administrator.client, stranger.client]) {
      expect(await client.get(`${tools(id)}?version=1.0.0`)).toMatchObject(refusal(404, 'app.version_not_found'));
    }
    await put(id, pushed);
    expect((await service.get(`${tools(id)}?version=1.0.0`)).body).toMatchObject({ tools: [{ name: 'own' }] });
    expect((await service.put(`/v1/apps/${id}`, { version: '1.0.0' })).status).toBe(200);
  });

  it('holds 50 of the platform’s manifests, however many the owner pushes', async () => {
    const id = await newApp(service, { owner_id: owner.id });
    await put(id, { version: '1.0.0', release: false, tools: [tool('first')] });
    await put(id, { version: '1.0.1', release: false });
    for (let at = 0; at <= 50; at++) {
      const version = `2.0.${at}`;
      expect((await owner.client.put(tools(id), { tools: [], skeleton_sections: [], version })).status).toBe(200);
    }
    expect((await owner.client.get(`${tools(id)}?version=2.0.0`)).status).toBe(404);
    expect((await owner.client.get(`${tools(id)}?version=2.0.1`)).status).toBe(200);
    for (const version of ['1.0.0', '1.0.1'])
      expect((await service.get(`${tools(id)}?version=${version}`)).status).toBe(200);
    // Pushing an unchanged manifest does not change its age.
    const first = { tools: [tool('first')], skeleton_sections: [], version: '1.0.0' };
    expect((await owner.client.put(tools(id), first)).status).toBe(200);
    for (let at = 2; at <= 50; at++) await put(id, { version: `1.0.${at}`, release: false });
    const held = await Promise.all(['1.0.0', '1.0.1'].map((version) => service.get(`${tools(id)}?version=${version}`)));
    expect(held.map(({ status }) => status)).toEqual([404, 200]);
  });

  it('is for the owner', async () => {
    const id = await newApp(service, { owner_id: owner.id });
    const body = { tools: [tool('one')], skeleton_sections: [] };
    expect(await owner.client.put(tools(id), body)).toMatchObject({
      status: 200,
      body: { version: '0.0.0', released: false },
    });
    expect((await get(id)).body).toEqual({ app_id: id, version: null, tools: [], skeleton_sections: [] });
    expect(await stranger.client.put(tools(id), body)).toMatchObject(refusal(403, 'app.not_yours'));
    expect(await service.put(tools('no-such-app'), body)).toMatchObject(refusal(404, 'app.not_found'));
  });

  it.each([
    ['no tools', { tools: undefined }, ['tools'], 'missing'],
    ['no sections', { skeleton_sections: undefined }, ['skeleton_sections'], 'missing'],
    ['tools that are no list', { tools: {} }, ['tools'], 'list_type'],
    ['a tool without name', { tools: [{ description: 'x' }] }, ['tools', 0, 'name'], 'missing'],
    ['an unknown key in a tool', { tools: [{ name: 'x', colour: 'red' }] }, ['tools', 0, 'colour'], 'extra_forbidden'],
    [
      'an unknown action type',
      { tools: [{ name: 'x', action_type: 'erase' }] },
      ['tools', 0, 'action_type'],
      'literal_error',
    ],
    [
      'a schema that is a list',
      { tools: [{ name: 'x', params_schema: [] }] },
      ['tools', 0, 'params_schema'],
      'dict_type',
    ],
    ['two tools of one name', { tools: [{ name: 'x' }, { name: 'x' }] }, ['tools'], 'value_error'],
    [
      'a section without refresh',
      { skeleton_sections: [{ name: 'x' }] },
      ['skeleton_sections', 0, 'refresh_activity'],
      'missing',
    ],
    [
      'a section without name',
      { skeleton_sections: [{ refresh_activity: 'x' }] },
      ['skeleton_sections', 0, 'section_name'],
      'missing',
    ],
    ['a version with a space', { version: '1 0' }, ['version'], 'string_pattern_mismatch'],
    ['an unknown key', { colour: 'red' }, ['colour'], 'extra_forbidden'],
  ])('refuses %s', async (_what, changes, path, type) => {
    const id = await newApp(service);
    expect(await put(id, changes)).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', ...path], type }] } });
  });

  it.each([[[null]], [[null, null]], [['text']], [[[]]]])('refuses the tools %j', async (list) => {
    expect((await put(await newApp(service), { tools: list })).status).toBe(422);
  });

  it('refuses more than 1 MiB of tools', async () => {
    const id = await newApp(service);
    const large = { type: 'object', description: 'x'.repeat(60_000) };
    const many = (count: number) =>
      Array.from({ length: count }, (_value, at) => tool(`tool-${at}`, { params_schema: large }));
    expect((await put(id, { tools: many(17) })).status).toBe(200);
    expect(await put(id, { tools: many(18) })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body'], type: 'too_long' }] },
    });
    expect((await get(id)).body.tools).toHaveLength(17);
    expect((await put(id, { tools: many(40) })).status).toBe(413);
  });
});

describe('GET /v1/apps/{app_id}/tools', () => {
  it('answers 304 until another manifest is served', async () => {
    const id = await newApp(service);
    await push(service, id, [tool('one')], { version: '1.0.0' });
    const etag = (await get(id)).headers.get('etag') as string;
    const again = () => stranger.client.get(tools(id), { headers: { 'If-None-Match': etag } });
    expect(await again()).toMatchObject({ status: 304, body: '' });
    await push(service, id, [tool('one')], { version: '1.0.0' });
    expect((await again()).status).toBe(304);
    await push(service, id, [tool('two')], { version: '1.0.0' });
    expect((await again()).status).toBe(200);
  });

  it('shows what is not served to those who manage the app', async () => {
    const id = await newApp(service, { owner_id: owner.id });
    await push(service, id, [tool('one')], { version: '1.0.0' });
    await push(service, id, [tool('two')], { version: '2.0.0', release: false });
    const version = (client: TestClient, wanted: string) => client.get(`${tools(id)}?version=${wanted}`);
    expect((await version(owner.client, '2.0.0')).status).toBe(200);
    expect((await version(stranger.client, '1.0.0')).status).toBe(200);
    expect(await version(stranger.client, '2.0.0')).toMatchObject(refusal(404, 'app.version_not_found'));
    expect(await version(service, '9.9.9')).toMatchObject(refusal(404, 'app.version_not_found'));
    const draft = await newApp(service, { status: 'draft' });
    expect(await get(draft, stranger.client)).toMatchObject(refusal(404, 'app.not_found'));
  });
});
