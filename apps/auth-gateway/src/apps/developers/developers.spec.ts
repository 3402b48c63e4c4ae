import type {
  DeveloperConfigResponse,
  DeveloperProfileResponse,
  DeveloperRegistrationResponse,
  UserResponse,
} from '@platform/contracts';
import type { TestClient } from '@platform/testing';
import { createDraftApp, auditEntriesOf, newDeveloper } from '../../testing/developers.js';
import { GatewayTest } from '../../testing/gateway-test.js';
import { expectNothingStored } from '../../testing/stored-rows.js';
import { createTenant } from '../../testing/tenants.js';

let gateway: GatewayTest;
let admin: TestClient;
beforeAll(async () => {
  gateway = await GatewayTest.start({ DEVELOPER_TIER_LIMITS: 'standard' });
  await gateway.user({ nickname: 'occupied' });
  admin = await gateway.signIn(await gateway.user({ role: 'admin' }));
});
afterAll(() => gateway.stop());

const REGISTER = '/v1/developer/register';
const PROFILE = '/v1/developer/profile';
const newUser = async (changes = {}) => gateway.actingFor((await gateway.user(changes)).id);
const register = (client: TestClient, body: object) =>
  client.post<DeveloperRegistrationResponse & { detail: string }>(REGISTER, body);

describe('registering as a developer', () => {
  it('works as the interface shows it, with a name', async () => {
    const user = await gateway.user();
    const client = await gateway.signIn(user);
    const request = {
      display_name: 'Ada L\u00f6velace & Co.',
      website: 'https://ada.example.com',
      description: 'Makes engines.\nAnalytical ones.',
    };
    const answer = await register(client, request);
    expect(answer).toMatchObject({
      status: 200,
      body: { tier: 'explorer', nickname: 'ada-lovelace-co', registered_at: expect.any(String) },
    });
    expect(await client.get(PROFILE)).toMatchObject({
      status: 200,
      body: {
        platform_id: user.id,
        email: user.email,
        ...request,
        tier: 'explorer',
        nickname: 'ada-lovelace-co',
        registered_at: answer.body.registered_at,
        apps_count: 0,
        max_apps: 1,
        tier_expires_at: null,
        total_earnings: 0,
      },
    });
    expect(await auditEntriesOf(gateway, user.id)).toMatchObject([
      { action: 'developer.registered', tenant_id: 'default', actor_id: user.id, after_state: { tier: 'explorer' } },
      { action: 'user.nickname_set' },
    ]);
  });

  it('works as older clients do it, with a nickname', async () => {
    const client = await newUser();
    const { status, body } = await register(client, { nickname: 'ada-1815', tier: 'explorer' });
    expect({ status, body }).toMatchObject({ status: 200, body: { tier: 'explorer', nickname: 'ada-1815' } });
    expect((await client.get(PROFILE)).body).toMatchObject({
      nickname: 'ada-1815',
      display_name: 'ada-1815',
      website: null,
      description: '',
    });
  });

  it('keeps the nickname that somebody has, unless they ask for another', async () => {
    const client = await newUser({ nickname: 'had-before' });
    expect((await register(client, { display_name: 'Somebody Else' })).body.nickname).toBe('had-before');
    const other = await newUser({ nickname: 'had-before-too' });
    expect((await register(other, { display_name: 'Somebody Else', nickname: 'new-one' })).body.nickname).toBe(
      'new-one',
    );
  });

  it.each([
    ['is taken', 'Popular Name', /^popular-name-[0-9a-f]{6}$/],
    ['is reserved', 'Support', /^dev-[0-9a-f]{6}$/],
    ['is too short', 'Al', /^dev-[0-9a-f]{6}$/],
    ['has nothing that fits', '\u674e\u5c0f\u9f99', /^dev-[0-9a-f]{6}$/],
    ['is too long', 'x'.repeat(100), /^x{30}$/],
  ])('makes up another handle where the name %s', async (_what, display_name, expected) => {
    if (display_name === 'Popular Name') await gateway.user({ nickname: 'popular-name' });
    const { status, body } = await register(await newUser(), { display_name });
    expect(status).toBe(200);
    expect(body.nickname).toMatch(expected);
  });

  it('gives 20 who have the same name 20 handles at once', async () => {
    const clients = await Promise.all(Array.from({ length: 20 }, () => newUser()));
    const answers = await Promise.all(clients.map((client) => register(client, { display_name: 'John Doe' })));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const handles = new Set(answers.map(({ body }) => body.nickname));
    expect(handles.size).toBe(20);
    expect(handles).toContain('john-doe');
  });

  it('works once, also for 50 requests at once', async () => {
    const { id } = await gateway.user();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => register(gateway.actingFor(id), { display_name: 'Once' })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 200);
    for (const answer of refused) {
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'developer.already_registered', detail: expect.stringContaining('already registered') },
      });
    }
    expect((await auditEntriesOf(gateway, id)).filter(({ action }) => action === 'developer.registered')).toHaveLength(
      1,
    );
  });

  it('gives a nickname to one of 50 who want it at once', async () => {
    const clients = await Promise.all(Array.from({ length: 50 }, () => newUser()));
    const answers = await Promise.all(clients.map((client) => register(client, { nickname: 'the-one' })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { body } of answers.filter(({ status }) => status === 400)) expect(body.detail).toContain('taken');
    const rows = await gateway.service.query(
      'SELECT 1 FROM developers JOIN users ON id = user_id WHERE nickname IS NULL',
    );
    expect(rows).toEqual([]);
  });

  it.each([
    ['a nickname that somebody has', { nickname: 'occupied' }, 400, 'developer.nickname_taken', 'taken'],
    ['a reserved nickname', { nickname: 'admin' }, 400, 'developer.nickname_reserved', 'reserved'],
    ['a nickname with capitals', { nickname: 'Ada' }, 400, 'developer.nickname_invalid', 'invalid nickname'],
    ['an empty nickname', { nickname: '', display_name: 'Ada' }, 400, 'developer.nickname_invalid', 'invalid nickname'],
    [
      'a tier that costs more credits than they have',
      { nickname: 'rich', tier: 'indie' },
      402,
      'wallet.insufficient',
      '9000',
    ],
    [
      'a tier that only administrators give',
      { nickname: 'rich', tier: 'partner' },
      403,
      'developer.tier_by_administrator',
      'partner',
    ],
  ])('refuses %s', async (_what, body, status, code, text) => {
    const client = await newUser();
    await expectNothingStored(gateway.service, async () => {
      expect(await register(client, body)).toMatchObject({
        status,
        body: { code, detail: expect.stringContaining(text) },
      });
    });
  });

  it.each([
    ['neither name', {}, 'display_name', 'missing'],
    ['a blank name', { display_name: ' \u3000' }, 'display_name', 'string_too_short'],
    ['a name of two lines', { display_name: 'Ada\nAdmin' }, 'display_name', 'value_error'],
    ['a name that is written backwards', { display_name: '\u202egro.live' }, 'display_name', 'value_error'],
    ['a name of 101 characters', { display_name: 'x'.repeat(101) }, 'display_name', 'string_too_long'],
    ['an unknown tier', { display_name: 'Ada', tier: 'gold' }, 'tier', 'literal_error'],
    ['a website by http', { display_name: 'Ada', website: 'http://ada.example.com' }, 'website', 'value_error'],
    [
      'a website that is a script',
      { display_name: 'Ada', website: 'javascript:alert(1)//https://' },
      'website',
      'value_error',
    ],
    [
      'a website with a password',
      { display_name: 'Ada', website: 'https://a:b@ada.example.com' },
      'website',
      'value_error',
    ],
    [
      'a description with control characters',
      { display_name: 'Ada', description: 'a\u0007' },
      'description',
      'value_error',
    ],
    ['another key', { display_name: 'Ada', is_partner: true }, 'is_partner', 'extra_forbidden'],
  ])('refuses %s', async (_what, body, key, type) => {
    expect(await register(await newUser(), body)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', key], type }] },
    });
  });

  it('is for whoever calls, and for nobody else', async () => {
    const [one, other] = [await gateway.user(), await gateway.user()];
    expect((await gateway.client().post(REGISTER, { display_name: 'Nobody' })).status).toBe(401);
    expect((await gateway.backend().post(REGISTER, { display_name: 'Nobody' })).status).toBe(422);
    expect((await register(gateway.actingFor(one.id), { display_name: 'Ada', user_id: other.id })).status).toBe(403);
    expect((await register(gateway.backend(), { display_name: 'Ada', user_id: one.id })).status).toBe(200);
    expect((await gateway.backend().get(`${PROFILE}?user_id=${one.id}`)).status).toBe(200);
    expect(await gateway.actingFor(other.id).get(PROFILE)).toMatchObject({
      status: 403,
      body: { code: 'developer.not_registered' },
    });
  });
});

describe('the tier of a developer', () => {
  const setTier = (client: TestClient, tier: string) => client.put('/v1/developer/tier', { tier });

  it('goes down for free, and stays for free', async () => {
    const { user, client } = await newDeveloper(gateway, 'studio');
    for (const tier of ['studio', 'indie', 'explorer', 'explorer']) {
      expect(await setTier(client, tier)).toMatchObject({ status: 200, body: { tier, expires_at: null } });
    }
    expect((await client.get(PROFILE)).body).toMatchObject({ tier: 'explorer', max_apps: 1 });
    expect(await auditEntriesOf(gateway, user.id)).toMatchObject([
      { action: 'developer.tier_changed', before_state: { tier: 'studio' }, after_state: { tier: 'indie' } },
      { action: 'developer.tier_changed', before_state: { tier: 'indie' }, after_state: { tier: 'explorer' } },
    ]);
  });

  it('does not go up without being paid for', async () => {
    const { client } = await newDeveloper(gateway, 'explorer');
    await expectNothingStored(gateway.service, async () => {
      for (const tier of ['indie', 'studio']) {
        expect(await setTier(client, tier)).toMatchObject({
          status: 402,
          body: { code: 'wallet.insufficient', balance: 0 },
        });
      }
      expect(await setTier(client, 'partner')).toMatchObject({
        status: 403,
        body: { code: 'developer.tier_by_administrator' },
      });
      expect(await setTier(client, 'gold')).toMatchObject({ status: 422 });
    });
    expect(await setTier(await newUser(), 'explorer')).toMatchObject({
      status: 403,
      body: { code: 'developer.not_registered' },
    });
  });

  it('shows in GET /v1/auth/me at once', async () => {
    const user = await gateway.user({ attributes: { theme: 'dark' } });
    const client = await gateway.signIn(user);
    const attributes = async () => (await client.get<UserResponse>('/v1/auth/me')).body.attributes;
    expect(await attributes()).toEqual({ theme: 'dark' });
    await register(client, { display_name: 'Somebody' });
    expect(await attributes()).toEqual({ theme: 'dark', developer_tier: 'explorer' });
    await admin.post('/v1/admin/developer/tier', { user_id: user.id, tier: 'indie' });
    expect(await attributes()).toEqual({ theme: 'dark', developer_tier: 'indie' });
  });

  it('is given by whoever runs the platform, whichever it is', async () => {
    const { user, client } = await newDeveloper(gateway, 'explorer');
    const answer = await admin.post<{ comped_by: string }>('/v1/admin/developer/tier', {
      user_id: user.id,
      tier: 'partner',
    });
    expect(answer).toMatchObject({
      status: 200,
      body: { user_id: user.id, tier: 'partner', comped_by: expect.stringMatching(/^usr_/) },
    });
    expect((await client.get(PROFILE)).body).toMatchObject({ tier: 'partner', max_apps: null });
    const byBackend = await gateway.backend().post('/v1/admin/developer/tier', { user_id: user.id, tier: 'studio' });
    expect(byBackend).toMatchObject({ status: 200, body: { tier: 'studio', comped_by: 'test' } });
    expect(await auditEntriesOf(gateway, user.id)).toMatchObject([
      { after_state: { tier: 'partner' }, metadata: { comped_by: answer.body.comped_by } },
      { after_state: { tier: 'studio' }, metadata: { comped_by: 'test' } },
    ]);
  });

  it('is given to developers only', async () => {
    for (const user_id of [(await gateway.user()).id, 'usr_nobody']) {
      const answer = await admin.post('/v1/admin/developer/tier', { user_id, tier: 'indie' });
      expect(answer).toMatchObject({ status: 404, body: { code: 'developer.not_found' } });
    }
  });

  it('is told by a table', async () => {
    const { status, body } = await admin.get<DeveloperConfigResponse>('/v1/admin/developer/config');
    expect(status).toBe(200);
    expect(body).toMatchObject({ min_payout: 10_000, token_usd: 0.001 });
    expect(
      body.tiers.map(({ tier, revenue_split_dev, revenue_split_platform, max_apps, analytics_days }) => [
        tier,
        revenue_split_dev,
        revenue_split_platform,
        max_apps,
        analytics_days,
      ]),
    ).toEqual([
      ['explorer', 70, 30, 1, 7],
      ['indie', 80, 20, 3, 30],
      ['studio', 85, 15, 10, 90],
      ['partner', 95, 5, null, 365],
    ]);
  });

  it('is decided by nobody but those who run the platform', async () => {
    const { id: tenant_id } = await createTenant(admin);
    const { user } = await newDeveloper(gateway, 'explorer');
    const adminOfTenant = await gateway.user({ role: 'admin', tenant_id });
    const strangers = [
      gateway.actingFor(adminOfTenant.id),
      await gateway.signIn(adminOfTenant),
      gateway.actingFor(user.id),
    ];
    await expectNothingStored(gateway.service, async () => {
      for (const client of strangers) {
        expect((await client.post('/v1/admin/developer/tier', { user_id: user.id, tier: 'partner' })).status).toBe(403);
        expect((await client.get('/v1/admin/developer/config')).status).toBe(403);
      }
    });
  });
});

describe('a developer who is erased', () => {
  it('leaves nothing personal, and their apps', async () => {
    const user = await gateway.user();
    const client = gateway.actingFor(user.id);
    await register(client, {
      display_name: 'Grace Personal',
      website: 'https://grace.example.com',
      description: 'Me.',
    });
    const { app_id } = await createDraftApp({ user, client });
    expect((await admin.delete(`/v1/users/${user.id}?permanent=true`)).status).toBe(200);
    const [row] = await gateway.service.query('SELECT * FROM developers WHERE user_id = $1', [user.id]);
    expect(row).toMatchObject({ display_name: '', website: null, description: '' });
    expect(await gateway.service.query('SELECT 1 FROM apps WHERE app_id = $1', [app_id])).toHaveLength(1);
    expect((await client.get<DeveloperProfileResponse>(PROFILE)).status).toBe(403);
  });
});
