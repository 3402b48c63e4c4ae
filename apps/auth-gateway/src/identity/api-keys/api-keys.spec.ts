import type { KeyListItem, KeyResponse, UserResponse } from '@platform/contracts';
import { generateApiKey } from '@platform/guards';
import type { TestClient } from '@platform/testing';
import { until } from '@platform/testing';
import { ApiKeyAuthenticationService } from './api-key-authentication.service.js';
import { GatewayTest, type TestUser } from '../../testing/gateway-test.js';

let gateway: GatewayTest;
beforeAll(async () => (gateway = await GatewayTest.start()));
afterAll(() => gateway.stop());

interface Owner {
  user: TestUser;
  client: TestClient;
}

async function owner(changes: Record<string, unknown> = {}): Promise<Owner> {
  const user = await gateway.user(changes);
  return { user, client: await gateway.signIn(user) };
}

async function create({ client }: Owner, body: Record<string, unknown> = {}): Promise<KeyResponse> {
  const answer = await client.post<KeyResponse>('/v1/keys', { name: 'deploy', ...body });
  expect(answer.status).toBe(201);
  return answer.body;
}

const withKey = (key: string) => gateway.client().withHeaders({ 'x-api-key': key });
const me = (key: string) => withKey(key).get<UserResponse>('/v1/auth/me');
const INVALID_KEY = { status: 401, body: { code: 'invalid_api_key' } };

describe('the scopes of a key', () => {
  const give = (client: TestClient, scopes: string) => client.post<KeyResponse>('/v1/keys', { name: 'some', scopes });

  it('are those of everybody for their own things, what the owner holds, and calls of apps that there are', async () => {
    const ada = await owner({ scopes: ['users:read', 'reports:run'] });
    for (const scopes of [
      '*',
      'apps:write,secrets.read',
      'installs:*',
      'extensions:call',
      'developer:call',
      'users:read',
      'users:*',
      'reports:run',
    ]) {
      expect([scopes, (await give(ada.client, scopes)).status]).toEqual([scopes, 201]);
    }
    const { body } = await give(ada.client, 'apps:write,users:write,nothing:read');
    expect(body).toMatchObject({
      detail: [
        { loc: ['body', 'scopes'], msg: 'There is no scope users:write, or you do not hold it yourself' },
        { loc: ['body', 'scopes'], msg: 'There is no scope nothing:read, or you do not hold it yourself' },
      ],
    });
  });

  it('are no more than there are, for an administrator too', async () => {
    const admin = await owner({ role: 'admin' });
    expect((await give(admin.client, 'users:write,agencies:*')).status).toBe(201);
    for (const scopes of ['users:fly', 'nothing:read', 'nothing:*'])
      expect((await give(admin.client, scopes)).status).toBe(422);
  });

  it('say what the key is for, also where its owner holds everything', async () => {
    const admin = await owner({ role: 'admin' });
    const { key } = (await give(admin.client, 'agencies:read')).body;
    const refused = { status: 403, body: { code: 'insufficient_scope' } };
    expect((await withKey(key).get('/v1/agencies')).status).toBe(200);
    expect(await withKey(key).get('/v1/developer/apps')).toMatchObject(refused);
    expect(await withKey(key).delete('/v1/developer/apps/mine')).toMatchObject(refused);
    expect(await withKey(key).post('/v1/developer/apps/mine/deploys', {})).toMatchObject(refused);
    expect(await withKey(key).get('/v1/secrets/mine/token')).toMatchObject(refused);
    expect(await withKey(key).post('/v1/extensions/mine/call', { function: 'x' })).toMatchObject(refused);
  });
});

describe('an API key', () => {
  it('is shown once, listed by its prefix, and works in either header', async () => {
    const ada = await owner({ scopes: ['users:read'] });
    const created = await create(ada, { scopes: 'users:read, profile:*' });
    expect(created).toEqual({
      id: expect.stringMatching(/^key_/),
      key: expect.stringMatching(/^cp_live_/),
      key_prefix: created.key.slice(0, 20),
      name: 'deploy',
      scopes: 'users:read,profile:*',
      created_at: expect.any(String),
      expires_at: null,
    });
    for (const client of [withKey(created.key), gateway.client().withToken(created.key)]) {
      const answer = await client.get<UserResponse>('/v1/auth/me');
      expect(answer).toMatchObject({ status: 200, body: { email: ada.user.email, scopes: ['users:read'] } });
    }
    const { body: list } = await ada.client.get<KeyListItem[]>('/v1/keys');
    const { key: _key, ...item } = created;
    expect(list).toEqual([{ ...item, last_used_at: null }]);
    expect(JSON.stringify(list)).not.toContain(created.key);
  });

  it('is stored as a hash and logged nowhere', async () => {
    const { key } = await create(await owner());
    await me(key);
    await me(`${key}x`);
    const secret = key.split('_')[3] as string;
    const rows = await gateway.service.query("SELECT *, encode(secret_hash, 'escape') AS text FROM api_keys");
    for (const text of [JSON.stringify(rows), gateway.service.logLines.join()]) expect(text).not.toContain(secret);
  });

  it('notes when it was used without a write on the path of the request', async () => {
    const ada = await owner();
    const { key, id } = await create(ada);
    const tuples = async () =>
      (
        await gateway.service.query<{ xmin: string; last_used_at: Date | null }>(
          'SELECT xmin, last_used_at FROM api_keys WHERE id = $1',
          [id],
        )
      )[0];
    const before = await tuples();
    for (let at = 0; at < 20; at++) await me(key);
    expect(await tuples()).toEqual(before);
    await gateway.service.app.get(ApiKeyAuthenticationService).onApplicationShutdown(); // the timer does it every 10 s
    expect((await tuples())?.last_used_at).toBeInstanceOf(Date);
  });

  it('is not noted as used after a wrong secret', async () => {
    const { key, id } = await create(await owner());
    await gateway.service.query("UPDATE api_keys SET secret_hash = sha256('another secret') WHERE id = $1", [id]);
    expect((await me(key)).status).toBe(401);
    await gateway.service.app.get(ApiKeyAuthenticationService).onApplicationShutdown();
    expect(await gateway.service.query('SELECT last_used_at FROM api_keys WHERE id = $1', [id])).toEqual([
      { last_used_at: null },
    ]);
  });

  it('can do what its owner may do now and it was given, whichever is less', async () => {
    const ada = await owner({ scopes: ['users:read', 'users:write'] });
    const all = await create(ada);
    const some = await create(ada, { scopes: 'users:write,profile:read' });
    const scopes = async (key: string) => (await me(key)).body.scopes;
    expect(await scopes(all.key)).toEqual(['users:read', 'users:write']);
    expect(await scopes(some.key)).toEqual(['users:write']);
    await gateway.service.query("UPDATE users SET scopes = '{users:read}' WHERE id = $1", [ada.user.id]);
    await until(async () => (await scopes(some.key)).length === 0);
    expect(await scopes(all.key)).toEqual(['users:read']);
  });

  it('makes no administrator unless it was given everything', async () => {
    const admin = await owner({ role: 'admin' });
    const { key } = await create(admin, { scopes: 'users:read,profile:read' });
    expect((await me(key)).body).toMatchObject({ role: 'admin', scopes: ['profile:read', 'users:read'] });
  });

  it('cannot make or list or delete keys, change the password, or see and end sessions', async () => {
    const ada = await owner();
    const { key, id } = await create(ada);
    const client = withKey(key);
    const attempts = [
      client.post('/v1/keys', { name: 'another' }),
      client.get('/v1/keys'),
      client.delete(`/v1/keys/${id}`),
      client.post('/v1/auth/me/change-password', { current_password: 'x', new_password: 'something else' }),
      client.get('/v1/auth/sessions'),
      client.post('/v1/auth/sessions/revoke-others'),
      client.post('/v1/auth/sessions/register', { surface: 'web' }),
    ];
    for (const answer of await Promise.all(attempts))
      expect(answer).toMatchObject({ status: 403, body: { code: 'session_required' } });
    expect(await gateway.service.query('SELECT id FROM api_keys WHERE user_id = $1', [ada.user.id])).toEqual([{ id }]);
  });

  it('is refused from its deletion on, in every process', async () => {
    const ada = await owner();
    const { key, id } = await create(ada);
    const beside = await gateway.startSecondProcess();
    const there = () => beside.client().withHeaders({ 'x-api-key': key }).get('/v1/auth/me');
    expect((await there()).status).toBe(200);
    expect((await me(key)).status).toBe(200);
    expect(await ada.client.delete(`/v1/keys/${id}`)).toMatchObject({ status: 200, body: { status: 'deleted', id } });
    expect(await me(key)).toMatchObject(INVALID_KEY);
    await until(async () => (await there()).status === 401);
    await beside.stop();
    expect(await ada.client.delete(`/v1/keys/${id}`)).toMatchObject({
      status: 404,
      body: { code: 'api_key.not_found' },
    });
  });

  it('is refused when it has expired', async () => {
    const ada = await owner();
    const { key, expires_at } = await create(ada, { expires_at: new Date(Date.now() + 3_600_000).toISOString() });
    expect(expires_at).not.toBeNull();
    expect((await me(key)).status).toBe(200);
    const expired = await create(ada, { expires_at: new Date(Date.now() + 3_600_000).toISOString() });
    await gateway.service.query("UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1", [
      expired.id,
    ]);
    expect(await me(expired.key)).toMatchObject(INVALID_KEY);
  });

  it('is refused with its owner', async () => {
    const ada = await owner();
    const { key } = await create(ada);
    await gateway.service.query('UPDATE users SET is_active = false WHERE id = $1', [ada.user.id]);
    expect(await me(key)).toMatchObject(INVALID_KEY);
  });

  it('is refused when it was never given out', async () => {
    const { key } = generateApiKey();
    expect(await me(key)).toMatchObject(INVALID_KEY);
    const known = await create(await owner());
    const otherSecret = generateApiKey();
    const mixed = known.key.replace(/_[0-9A-Za-z]{43}_.*/, `_${otherSecret.secret}_`);
    for (const forged of [mixed, `${mixed}000000`, known.key.slice(0, -1), 'cp_live_'])
      expect(await me(forged)).toMatchObject(INVALID_KEY);
    expect((await gateway.client().withToken('cp_live_x').get('/v1/auth/me')).body).toMatchObject({
      code: 'invalid_api_key',
    });
  });

  it('belongs to one person: others neither see nor delete it', async () => {
    const [ada, eve] = [await owner(), await owner()];
    const { id, key } = await create(ada);
    expect((await eve.client.get('/v1/keys')).body).toEqual([]);
    const foreign = await eve.client.delete(`/v1/keys/${id}`);
    const unknown = await eve.client.delete('/v1/keys/key_unknown');
    expect(foreign.status).toBe(404);
    expect({ ...(foreign.body as object), request_id: '' }).toEqual({ ...(unknown.body as object), request_id: '' });
    expect((await me(key)).status).toBe(200);
  });

  it('is one of at most 50, however many are made at once', async () => {
    const ada = await owner();
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_value, at) => ada.client.post('/v1/keys', { name: `key ${at}` })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(50);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'api_key.too_many' });
    expect((await ada.client.get<KeyListItem[]>('/v1/keys')).body).toHaveLength(50);
  });

  it.each([
    '20300101T000000Z',
    '2030-W01-1T00:00:00Z',
    '2030-001T00:00:00Z',
    '2030-01-01T00Z',
    '2030-02-30T00:00:00Z',
    '+002030-01-01T00:00:00Z',
  ])('does not end at %s, which is read as no time', async (expires_at) => {
    const { client } = await owner();
    const answer = await client.post('/v1/keys', { name: 'deploy', expires_at });
    expect(answer).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'expires_at'], type: 'datetime_parsing' }] },
    });
  });

  it.each([
    ['no name', { name: undefined }, 'name', 'missing'],
    ['an empty name', { name: '' }, 'name', 'string_too_short'],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, 'name', 'string_too_long'],
    ['a list of scopes', { scopes: ['users:read'] }, 'scopes', 'string_type'],
    ['a malformed scope', { scopes: 'users:read,everything!' }, 'scopes', 'value_error'],
    ['an empty scope', { scopes: 'users:read,' }, 'scopes', 'value_error'],
    ['a scope that nobody defined', { scopes: 'users:fly' }, 'scopes', 'value_error'],
    ['a scope that its owner lacks', { scopes: 'profile:read,users:read' }, 'scopes', 'value_error'],
    ['a scope that its owner lacks, in the older spelling', { scopes: 'users.read' }, 'scopes', 'value_error'],
    ['all of a resource of which its owner holds nothing', { scopes: 'users:*' }, 'scopes', 'value_error'],
    ['all of a resource that there is not', { scopes: 'nothing:*' }, 'scopes', 'value_error'],
    ['calls of an app that there is not', { scopes: 'no-such-app:call' }, 'scopes', 'value_error'],
    ['an end in the past', { expires_at: '2020-01-01T00:00:00Z' }, 'expires_at', 'datetime_future'],
    ['an end without time zone', { expires_at: '2099-01-01T00:00:00' }, 'expires_at', 'datetime_parsing'],
    ['an end that is no date', { expires_at: 'tomorrow' }, 'expires_at', 'datetime_parsing'],
    ['an end that is no text', { expires_at: 1_893_456_000 }, 'expires_at', 'string_type'],
    ['an id of its own', { id: 'key_x' }, 'id', 'extra_forbidden'],
  ])('is refused with %s', async (_what, body, key, type) => {
    const { client } = await owner();
    const answer = await client.post('/v1/keys', { name: 'deploy', ...body });
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', key], type }] } });
  });
});
