import type { CatalogResponse, CatalogTool } from '@platform/contracts';
import { newId } from '@platform/platform';
import { TEST_SERVICE_TOKEN, type TestClient } from '@platform/testing';
import { CatalogEntryCache } from './catalog-entry-cache.js';
import {
  backend,
  keyHolder,
  newApp,
  push,
  RegistryTest,
  Statements,
  tool,
  type KeyHolder,
} from '../testing/registry.js';

let test: RegistryTest;
let service: TestClient;
let holder: KeyHolder;
beforeAll(async () => {
  test = await RegistryTest.start();
  service = backend(test);
  holder = await keyHolder(test);
});
afterAll(() => test.stop());

const catalogOf = (user: string, client = service) => client.get<CatalogResponse>(`/v1/catalog?user_id=${user}`);
const install = async (user: string, app: string) => {
  expect((await service.post(`/v1/users/${user}/extensions`, { app_id: app })).status).toBe(201);
};
/** Unique tools, which no earlier search can have cached. */
const toolsOf = (id: string) => [tool('list', { description: `Lists ${id}.` }), tool('add', { action_type: 'write' })];

/** Creates an app with two functions and installs it for the user. */
async function installed(user: string, changes: Record<string, unknown> = {}): Promise<string> {
  const id = await newApp(service, changes);
  await push(service, id, toolsOf(id), { version: '1.0.0' });
  await install(user, id);
  return id;
}

describe('GET /v1/catalog', () => {
  it('has the manifest of everything that the user has installed, by id', async () => {
    const user = newId('usr');
    const awkward = { display_name: 'He said "hi" \\ ☃', description: 'line\nbreak\t</script>', category: 'a"b' };
    const ids = [await installed(user, awkward), await installed(user)].sort();
    const { status, body } = await catalogOf(user);
    expect(status).toBe(200);
    expect(body.user_id).toBe(user);
    expect(body.apps.map(({ app_id }) => app_id)).toEqual(ids);
    const { display_name: name, ...rest } = awkward;
    const found = body.apps.find((app) => app.name === name);
    expect(found).toEqual({
      ...rest,
      name,
      app_id: expect.any(String),
      version: '1.0.0',
      tools: toolsOf(found?.app_id ?? ''),
      skeleton_sections: [],
    });
  });

  it('is empty for who has nothing, and leaves out what is not active, serves nothing, or was removed', async () => {
    const user = newId('usr');
    expect((await catalogOf(user)).body).toEqual({ user_id: user, apps: [] });
    const suspended = await installed(user);
    await service.put(`/v1/apps/${suspended}`, { status: 'suspended' });
    await install(user, await newApp(service));
    const removed = await installed(user);
    await service.delete(`/v1/users/${user}/extensions/${removed}`);
    expect((await catalogOf(user)).body.apps).toEqual([]);
  });

  it('takes one statement, once the manifests were read and the gateway was asked', async () => {
    const user = newId('usr');
    await installed(user);
    await installed(user);
    const statements = new Statements();
    const ask = (id: string) =>
      service.get<CatalogResponse>(`/v1/catalog?user_id=${user}`, { headers: { 'X-Request-Id': id } });
    const first = await ask('first');
    const second = await ask('second');
    statements.stop();
    expect(second.body).toEqual(first.body);
    // The first request also asks the gateway which functions the user is allowed to call.
    expect(['first', 'second'].map((id) => statements.ofRequest(id).length)).toEqual([3, 1]);
  });

  it('is current in every process, whatever each has read before', async () => {
    const user = newId('usr');
    const id = await installed(user);
    const beside = await test.startSecondRegistry();
    const other = beside.client().withHeaders({ 'X-Service-Token': TEST_SERVICE_TOKEN });
    expect((await catalogOf(user, other)).body.apps).toMatchObject([{ tools: [{ name: 'list' }, { name: 'add' }] }]);
    await push(service, id, [tool('new')], { version: '1.0.0' });
    expect((await catalogOf(user, other)).body.apps).toMatchObject([{ version: '1.0.0', tools: [{ name: 'new' }] }]);
    await beside.stop();
  });

  it('is read again when a manifest was replaced between its two statements', async () => {
    const user = newId('usr');
    const id = await installed(user);
    const entries = test.registry.app.get(CatalogEntryCache);
    const find = jest.spyOn(entries, 'findEntries').mockImplementationOnce(async (...asked) => {
      await push(service, id, [tool('new')], { version: '1.0.0' });
      return entries.findEntries(...asked);
    });
    expect((await catalogOf(user)).body.apps).toMatchObject([{ tools: [{ name: 'new' }] }]);
    expect(find).toHaveBeenCalledTimes(3);
    find.mockRestore();
  });

  it.each([
    ['an app is renamed', (id: string) => service.put(`/v1/apps/${id}`, { display_name: 'Bills' })],
    ['a manifest is replaced', (id: string) => push(service, id, [tool('other')], { version: '1.0.0' })],
    ['another version is served', (id: string) => push(service, id, [tool('list')], { version: '2.0.0' })],
    ['an app is suspended', (id: string) => service.put(`/v1/apps/${id}`, { status: 'suspended' })],
    ['an app is removed', (id: string, user: string) => service.delete(`/v1/users/${user}/extensions/${id}`)],
    ['an app is installed', (_id: string, user: string) => installed(user)],
  ])('answers 304 until %s', async (_what, change) => {
    const user = newId('usr');
    const id = await installed(user);
    const etag = (await catalogOf(user)).headers.get('etag') as string;
    const again = () =>
      service.get(`/v1/catalog?user_id=${user}`, { headers: { 'If-None-Match': `"other", ${etag}` } });
    await newApp(service); // another user's app
    expect(await again()).toMatchObject({ status: 304, body: '' });
    await change(id, user);
    const answer = await again();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('etag')).not.toBe(etag);
  });

  it('is shown to its own user, who need not be named', async () => {
    const id = await installed(holder.id);
    // Ignores the platform's own apps, which are installed, too.
    const find = ({ apps, user_id }: CatalogResponse) => [user_id, apps.find(({ app_id }) => app_id === id)];
    const own = await holder.client.get<CatalogResponse>('/v1/catalog');
    expect(find(own.body)).toEqual([holder.id, expect.objectContaining({ version: '1.0.0' })]);
    expect(find((await catalogOf(holder.id, holder.client)).body)).toEqual(find(own.body));
    expect(await catalogOf(newId('usr'), holder.client)).toMatchObject({
      status: 403,
      body: { code: 'app.other_user' },
    });
    const admin = await keyHolder(test, { role: 'admin' });
    expect(find((await catalogOf(holder.id, admin.client)).body)).toEqual(find(own.body));
  });

  it.each([
    ['', 'missing'],
    ['?user_id=', 'string_pattern_mismatch'],
    ['?user_id=a%22b', 'string_pattern_mismatch'],
    [`?user_id=${'x'.repeat(51)}`, 'string_pattern_mismatch'],
    ['?user_id=a&user_id=b', 'string_type'],
  ])('refuses %j', async (query, type) => {
    expect(await service.get(`/v1/catalog${query}`)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['query', 'user_id'], type }] },
    });
  });
});

describe('GET /v1/catalog/tools', () => {
  const listOf = (user: string, query = '', client = service) =>
    client.get<CatalogTool[]>(`/v1/catalog/tools?user_id=${user}${query}`);

  it('has the functions of what the user has installed, in pages', async () => {
    const user = newId('usr');
    const ids = [await installed(user), await installed(user), await installed(user)].sort();
    await install(user, await newApp(service)); // an app without tools
    const { status, body } = await listOf(user);
    expect(status).toBe(200);
    expect(body.map(({ app_id, name }) => `${app_id} ${name}`)).toEqual(
      ids.flatMap((id) => [`${id} add`, `${id} list`]),
    );
    const {
      return_schema: _returned,
      required_scopes: _required,
      ...described
    } = tool('add', { action_type: 'write' });
    expect(body[0]).toEqual({ app_id: ids[0], ...described });
    const paged: CatalogTool[] = [];
    for (let query = '&limit=2'; ;) {
      const page = (await listOf(user, query)).body;
      paged.push(...page);
      const last = page.at(-1);
      if (!last) break;
      query = `&limit=2&after_app_id=${last.app_id}&after_name=${last.name}`;
    }
    expect(paged).toEqual(body);
  });

  it('has those of every active app for a trusted backend that names nobody, and one’s own for a user', async () => {
    const id = await installed(newId('usr'));
    const draft = await newApp(service, { status: 'draft' });
    await push(service, draft, [tool('secret')]);
    const { body } = await service.get<CatalogTool[]>(`/v1/catalog/tools?after_app_id=${id.slice(0, -1)}&limit=1000`);
    expect(body.filter(({ app_id }) => app_id === id)).toHaveLength(2);
    expect(body.filter(({ app_id }) => app_id === draft)).toEqual([]);
    const own = (await holder.client.get<CatalogTool[]>('/v1/catalog/tools')).body;
    expect(own.map(({ app_id }) => app_id)).not.toContain(id);
    expect(own).toEqual((await listOf(holder.id)).body);
    expect((await listOf(newId('usr'), '', holder.client)).status).toBe(403);
  });
});
