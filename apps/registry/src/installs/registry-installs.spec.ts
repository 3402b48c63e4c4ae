import type { InstallChangesResponse, RegistryInstall, RemovedInstall } from '@platform/contracts';
import { newId } from '@platform/platform';
import { HeldLock, type TestClient } from '@platform/testing';
import { backend, keyHolder, newApp, RegistryTest, type KeyHolder } from '../testing/registry.js';

let test: RegistryTest;
let service: TestClient;
let holder: KeyHolder;
beforeAll(async () => {
  test = await RegistryTest.start();
  service = backend(test);
  holder = await keyHolder(test);
});
afterAll(() => test.stop());

const refusal = (status: number, code: string) => ({ status, body: { code } });
const of = (user: string) => `/v1/users/${user}/extensions`;
const install = (user: string, app_id: string, more = {}) =>
  service.post<RegistryInstall>(of(user), { app_id, ...more });
const remove = (user: string, app: string) => service.delete<RemovedInstall>(`${of(user)}/${app}`);
const list = async (user: string, query = '') => (await service.get<RegistryInstall[]>(`${of(user)}${query}`)).body;
const changes = async (after: number, limit = 1000) =>
  (await service.get<InstallChangesResponse>(`/v1/internal/installs?after=${after}&limit=${limit}`)).body;

describe('an install', () => {
  it('is registered once, and the same again', async () => {
    const [user, app] = [newId('usr'), await newApp(service)];
    const first = await install(user, app, { config: { theme: 'dark' } });
    expect(first).toMatchObject({
      status: 201,
      body: {
        user_id: user,
        app_id: app,
        status: 'installed',
        config: { theme: 'dark' },
        installed_at: expect.any(String),
        revision: expect.any(Number),
      },
    });
    expect(await install(user, app)).toMatchObject({ status: 200, body: first.body });
    const { body: configured } = await install(user, app, { config: { theme: 'light' } });
    expect(configured).toMatchObject({ config: { theme: 'light' }, installed_at: first.body.installed_at });
    expect(configured.revision).toBeGreaterThan(first.body.revision);
    expect(await list(user)).toEqual([configured]);
  });

  it('is removed once, and comes back as new', async () => {
    const [user, app] = [newId('usr'), await newApp(service)];
    const first = await install(user, app, { config: { theme: 'dark' } });
    const removed = await remove(user, app);
    expect(removed).toMatchObject({
      status: 200,
      body: { user_id: user, app_id: app, status: 'removed', removed_at: expect.any(String) },
    });
    expect(await remove(user, app)).toMatchObject({ status: 200, body: removed.body });
    expect(await list(user)).toEqual([]);
    const again = await install(user, app);
    expect(again).toMatchObject({ status: 201, body: { config: {} } });
    const revisions = [first.body, removed.body, again.body].map(({ revision }) => revision);
    expect(revisions).toEqual([...revisions].sort((a, b) => a - b));
    expect(new Set(revisions).size).toBe(3);
  });

  it('is one, however many register and remove it at once, and its last revision says how it ended', async () => {
    const [user, app] = [newId('usr'), await newApp(service)];
    const { next_after: before } = await changes(0);
    const answers = await Promise.all(
      Array.from(
        { length: 40 },
        (_value, at) => (at % 2 ? remove(user, app) : install(user, app)) as Promise<{ status: number }>,
      ),
    );
    for (const { status } of answers) expect([200, 201, 404]).toContain(status);
    const mine = (await changes(before)).changes.filter(({ user_id }) => user_id === user);
    expect(mine).toHaveLength(1);
    expect((await list(user)).length).toBe(mine[0]?.installed ? 1 : 0);
  });

  it('needs an app, and to be removed it must have been there', async () => {
    const [user, app] = [newId('usr'), await newApp(service)];
    expect(await install(user, 'no-such-app')).toMatchObject(refusal(404, 'app.not_found'));
    expect(await remove(user, app)).toMatchObject(refusal(404, 'install.not_found'));
    expect(await list(user)).toEqual([]);
  });

  it('is one of 200 at most, however many come at once', async () => {
    const user = newId('usr');
    await test.registry.query(
      `INSERT INTO apps (app_id, display_name, status) SELECT 'many-' || n, 'Many', 'active' FROM generate_series(1, 205) n`,
    );
    await test.registry.query(
      `INSERT INTO installs (user_id, app_id, live_app_id) SELECT $1, 'many-' || n, 'many-' || n FROM generate_series(1, 195) n`,
      [user],
    );
    const answers = await Promise.all(Array.from({ length: 10 }, (_value, at) => install(user, `many-${196 + at}`)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(5);
    expect(answers.find(({ status }) => status === 409)).toMatchObject(refusal(409, 'install.too_many'));
    expect(await list(user, '?limit=500')).toHaveLength(200);
    expect((await install(user, 'many-1')).status).toBe(200);
  });

  it('is listed in the order of installing, in pages', async () => {
    const user = newId('usr');
    const apps = [await newApp(service), await newApp(service), await newApp(service)];
    for (const app of apps) await install(user, app);
    const ids = async (query: string) => (await list(user, query)).map(({ app_id }) => app_id);
    expect(await ids('')).toEqual(apps);
    expect(await ids('?limit=2')).toEqual(apps.slice(0, 2));
    expect(await ids('?limit=2&offset=2')).toEqual(apps.slice(2));
  });

  it('is seen by its user, and changed by the platform alone', async () => {
    const app = await newApp(service);
    const { body } = await install(holder.id, app);
    const own = await holder.client.get<RegistryInstall[]>(of(holder.id));
    expect(own.body.filter(({ app_id }) => !['developer', 'automations', 'billing'].includes(app_id))).toEqual([body]); // apps that all users get
    expect(await holder.client.get(of(newId('usr')))).toMatchObject(refusal(403, 'app.other_user'));
    expect(await holder.client.post(of(holder.id), { app_id: await newApp(service) })).toMatchObject(
      refusal(403, 'app.platform_only'),
    );
    expect(await holder.client.delete(`${of(holder.id)}/${app}`)).toMatchObject(refusal(403, 'app.platform_only'));
    const admin = await keyHolder(test, { role: 'admin' });
    expect((await admin.client.delete(`${of(holder.id)}/${app}`)).status).toBe(200);
  });

  it('says which API key registered or removed it, which a trusted backend that does the same does not change', async () => {
    const [user, app] = [newId('usr'), await newApp(service)];
    const { client, keyId } = await keyHolder(test, { role: 'admin' });
    const { next_after: before } = await changes(0);
    const changed_by = { id: keyId, scopes: ['*'] };
    const told = async () => (await changes(before)).changes.find(({ user_id }) => user_id === user);
    expect(await client.post(of(user), { app_id: app })).toMatchObject({ status: 201, body: { changed_by } });
    expect(await install(user, app, { config: { theme: 'dark' } })).toMatchObject({
      status: 200,
      body: { changed_by },
    });
    expect(await list(user)).toMatchObject([{ changed_by }]);
    expect(await told()).toMatchObject({ installed: true, changed_by });
    expect(await remove(user, app)).toMatchObject({ status: 200, body: { changed_by: null } });
    expect(await install(user, app)).toMatchObject({ status: 201, body: { changed_by: null } });
    expect(await client.delete(`${of(user)}/${app}`)).toMatchObject({ status: 200, body: { changed_by } });
    expect(await told()).toMatchObject({ installed: false, changed_by });
  });

  it.each([
    ['no app', {}, ['body', 'app_id'], 'missing'],
    ['a malformed app', { app_id: 'A B' }, ['body', 'app_id'], 'string_pattern_mismatch'],
    ['a config that is text', { app_id: 'valid', config: 'x' }, ['body', 'config'], 'dict_type'],
    ['an unknown key', { app_id: 'valid', colour: 'red' }, ['body', 'colour'], 'extra_forbidden'],
  ])('is refused with %s', async (_what, body, loc, type) => {
    expect(await service.post(of('usr_1'), body)).toMatchObject({ status: 422, body: { detail: [{ loc, type }] } });
  });

  it('is refused for a user whose id is none', async () => {
    const answer = await service.post(of(encodeURIComponent('a b')), { app_id: 'valid' });
    expect(answer).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['path', 'user_id'], type: 'string_pattern_mismatch' }] },
    });
  });
});

describe('GET /v1/internal/installs', () => {
  it('tells the present state of each install that changed, in pages, and each once', async () => {
    const user = newId('usr');
    const apps = [await newApp(service), await newApp(service), await newApp(service)];
    const { next_after: before } = await changes(0);
    for (const app of apps) await install(user, app);
    await remove(user, apps[0] as string);
    const [first, second, third] = [
      await changes(before, 2),
      await changes(before + 3, 2),
      await changes(before + 4, 2),
    ];
    expect(first).toMatchObject({
      has_more: true,
      changes: [{ app_id: apps[1], installed: true, removed_at: null }, { app_id: apps[2] }],
    });
    expect(first.next_after).toBe(before + 3);
    expect(second).toMatchObject({
      has_more: false,
      changes: [{ app_id: apps[0], installed: false, removed_at: expect.any(String) }],
    });
    expect(third).toEqual({ changes: [], next_after: before + 4, has_more: false });
  });

  it('tells of those who had an app that was deleted', async () => {
    const [user, app] = [newId('usr'), await newApp(service)];
    const { body } = await install(user, app);
    await service.delete(`/v1/apps/${app}`);
    expect(await changes(body.revision)).toMatchObject({ changes: [{ user_id: user, app_id: app, installed: false }] });
  });

  it('does not pass over a change that is committed after a later one', async () => {
    const [early, late, app] = [newId('usr'), newId('usr'), await newApp(service)];
    const { next_after: before } = await changes(0);
    const sql = 'INSERT INTO installs (user_id, app_id, live_app_id) VALUES ($1, $2, $2)';
    const uncommitted = await HeldLock.acquire(test.registry, sql, [early, app], 'registry');
    const { body } = await install(late, app);
    expect(body.revision).toBe(before + 2);
    const reading = changes(before);
    await uncommitted.waitForBlocked(1);
    await uncommitted.release();
    expect((await reading).changes.map(({ user_id }) => user_id)).toEqual([early, late]);
  });

  it('tells every change to a reader that goes on from page to page while many write', async () => {
    const apps = [await newApp(service), await newApp(service)];
    const users = Array.from({ length: 10 }, () => newId('usr'));
    const { next_after: before } = await changes(0);
    const last = new Map<string, boolean>();
    let after = before;
    let isOver = false;
    const read = async () => {
      for (;;) {
        const wasOver = isOver;
        const page = await changes(after, 7);
        for (const { user_id, app_id, installed } of page.changes) last.set(`${user_id} ${app_id}`, installed);
        after = page.next_after;
        if (wasOver && !page.has_more) return;
      }
    };
    const write = async () => {
      await Promise.all(
        users.flatMap((user) =>
          apps.map(async (app, at) => {
            for (let round = 0; round < 3; round++) {
              await install(user, app);
              if (round < 2 || at) await remove(user, app);
            }
          }),
        ),
      );
      isOver = true;
    };
    await Promise.all([read(), write()]);
    const expected = users.flatMap((user) => apps.map((app, at): [string, boolean] => [`${user} ${app}`, at === 0]));
    expect([...last].sort()).toEqual(expected.sort());
  });

  it('gives up when a transaction does not end', async () => {
    const app = await newApp(service);
    const sql = 'INSERT INTO installs (user_id, app_id, live_app_id) VALUES ($1, $2, $2)';
    const endless = await HeldLock.acquire(test.registry, sql, [newId('usr'), app], 'registry');
    const answer = await service.get('/v1/internal/installs');
    await endless.release();
    expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(answer.headers.get('retry-after')).toBe('1');
  });

  it('is for trusted backends, and in no public document', async () => {
    expect((await holder.client.get('/v1/internal/installs')).status).toBe(401);
    const admin = await keyHolder(test, { role: 'admin' });
    expect((await admin.client.get('/v1/internal/installs')).status).toBe(401);
    const { body } = await service.get<{ paths: object }>('/v1/openapi.json');
    expect(Object.keys(body.paths).filter((path) => path.includes('internal'))).toEqual([]);
  });
});
