import type {
  MarketplaceApp,
  MarketplaceAppDetail,
  MarketplaceCategory,
  MarketplaceDeveloper,
} from '@platform/contracts';
import { createApp, createDeveloper, pricedApp, setPrices, tool } from '../../testing/apps.js';
import { GatewayTest } from '../../testing/gateway-test.js';
import { createTenant } from '../../testing/tenants.js';

let gateway: GatewayTest;
beforeAll(async () => (gateway = await GatewayTest.start()));
afterAll(() => gateway.stop());

const list = async (query = '', client = gateway.client()) =>
  (await client.get<MarketplaceApp[]>(`/v1/marketplace/apps${query}`)).body;
const ids = async (query = '') => (await list(query)).map(({ app_id }) => app_id);
const detail = (appId: string, client = gateway.client()) =>
  client.get<MarketplaceAppDetail>(`/v1/marketplace/apps/${appId}`);
const count = (appId: string, columns: string) =>
  gateway.service.query(`UPDATE app_listings SET ${columns} WHERE app_id = $1`, [appId]);
const NOT_FOUND = { status: 404, body: { code: 'app.not_found' } };

describe('the list', () => {
  it('shows each fact in both spellings', async () => {
    const { app_id, developer_id } = await createApp(gateway, {
      display_name: 'Invoices',
      short_description: 'Writes invoices',
      category: 'finance',
      tags: ['money'],
      pricing_model: 'per_action',
      version: '2.1.0',
      icon: 'javascript:alert(1)',
    });
    const icon = `http://localhost:4000/v1/marketplace/apps/${app_id}/icon`;
    expect(await list('?category=finance')).toEqual([
      {
        app_id,
        name: 'Invoices',
        display_name: 'Invoices',
        short_description: 'Writes invoices',
        category: 'finance',
        tags: ['money'],
        version: '2.1.0',
        developer_id,
        pricing_model: 'per_action',
        install_count: 0,
        rating: 0,
        avg_rating: 0,
        review_count: 0,
        featured: false,
        system: false,
        icon_url: icon,
        icon,
        is_installed: null,
      },
    ]);
  });

  it('is sorted as asked, and by id what ranks the same', async () => {
    const apps = [];
    for (const name of ['delta', 'alpha', 'charlie', 'Bravo']) {
      apps.push(
        (await createApp(gateway, { app_id: `sort-${name.toLowerCase()}`, display_name: name, category: 'games' }))
          .app_id,
      );
    }
    const [delta, alpha, charlie, bravo] = apps as [string, string, string, string];
    await count(delta, 'action_count = 5, install_count = 1, review_count = 2, rating_sum = 10');
    await count(alpha, 'action_count = 9, install_count = 7');
    await count(charlie, 'action_count = 5, install_count = 7, review_count = 9, rating_sum = 45');
    await count(bravo, 'review_count = 1, rating_sum = 4');
    await gateway.service.query("UPDATE apps SET published_at = now() + interval '1 hour' WHERE app_id = ANY ($1)", [
      [alpha, delta],
    ]);
    const sorted = (sort: string) => ids(`?category=games${sort}`);
    expect(await sorted('')).toEqual([alpha, charlie, delta, bravo]);
    expect(await sorted('&sort=actions')).toEqual([alpha, charlie, delta, bravo]);
    expect(await sorted('&sort=relevance')).toEqual([alpha, charlie, delta, bravo]);
    expect(await sorted('&sort=installs')).toEqual([alpha, charlie, delta, bravo]);
    expect(await sorted('&sort=rating')).toEqual([charlie, delta, bravo, alpha]);
    expect(await sorted('&sort=newest')).toEqual([alpha, delta, bravo, charlie]);
    expect(await sorted('&sort=name')).toEqual([alpha, bravo, charlie, delta]);
  });

  it('comes in pages, by either way to ask for them', async () => {
    for (let at = 0; at < 5; at++) await createApp(gateway, { app_id: `page-${at}`, category: 'travel' });
    const all = await ids('?category=travel');
    expect(all).toEqual(['page-0', 'page-1', 'page-2', 'page-3', 'page-4']);
    expect(await ids('?category=travel&limit=2&offset=2')).toEqual(all.slice(2, 4));
    expect(await ids('?category=travel&limit=2&offset=4')).toEqual(all.slice(4));
    expect(await ids('?category=travel&page=2&per_page=2')).toEqual(all.slice(2, 4));
    expect(await ids('?category=travel&page=3&per_page=2&limit=5&offset=1')).toEqual(all.slice(4));
    expect(await ids('?category=travel&page=2&limit=3')).toEqual(all.slice(3));
    expect(await ids('?category=travel&per_page=2')).toEqual(all.slice(0, 2));
    expect(await ids('?category=travel&page=4&per_page=2')).toEqual([]);
  });

  it.each([
    'limit=0',
    'limit=101',
    'offset=-1',
    'offset=10001',
    'page=0',
    'per_page=51',
    'sort=best',
    'limit=x',
    'page=201',
  ])('refuses %s', async (query) => {
    const answer = await gateway.client().get(`/v1/marketplace/apps?${query}`);
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['query', query.split('=')[0]] }] } });
  });

  it('has only what is active and can be installed', async () => {
    const category = 'security';
    await createApp(gateway, { category, status: 'draft' });
    await createApp(gateway, { category, status: 'suspended' });
    await createApp(gateway, {
      category,
      status: 'pending_review',
      submitted_at: new Date(),
      submitted_version: '1.0.0',
    });
    await createApp(gateway, { category, system: true });
    const { app_id } = await createApp(gateway, { category });
    expect(await ids(`?category=${category}`)).toEqual([app_id]);
    expect(await ids('?limit=100')).toContain(app_id);
  });

  it('is the same for users of every tenant, and tells each what they have', async () => {
    const { app_id } = await createApp(gateway, { category: 'health' });
    await createApp(gateway, { category: 'health' });
    const { id: tenant_id } = await createTenant(gateway.backend());
    const [ada, eve] = [await gateway.user(), await gateway.user({ tenant_id })];
    await gateway.service.query(
      "INSERT INTO installs (user_id, app_id, tenant_id, revision, installed_at) VALUES ($1, $2, 'default', 1, now())",
      [ada.id, app_id],
    );
    const clients = [
      gateway.client(),
      await gateway.signIn(ada),
      await gateway.signIn(eve),
      gateway.actingFor(ada.id),
      gateway.backend(),
    ];
    const [nobody, adas, eves, actedFor, backends] = await Promise.all(
      clients.map((client) => list('?category=health', client)),
    );
    const without = (apps: MarketplaceApp[] = []) => apps.map(({ is_installed: _, ...app }) => app);
    for (const apps of [adas, eves, actedFor, backends]) expect(without(apps)).toEqual(without(nobody));
    const installed = (apps: MarketplaceApp[] = []) => apps.map(({ is_installed }) => is_installed);
    expect([nobody, adas, eves, actedFor, backends].map(installed)).toEqual([
      [null, null],
      [true, false],
      [false, false],
      [true, false],
      [null, null],
    ]);
    expect(await gateway.client().withToken('x').get('/v1/marketplace/apps')).toMatchObject({
      status: 401,
      body: { code: 'invalid_token' },
    });
  });
});

describe('an app', () => {
  it('is shown with what it can do and what that costs', async () => {
    const developer_id = await createDeveloper(gateway, { display_name: 'Ada Ltd.' });
    await gateway.service.query("UPDATE developers SET website = 'https://ada.example' WHERE user_id = $1", [
      developer_id,
    ]);
    const tools = [tool('read_it'), tool('__proto__'), tool('change_it', { action_type: 'write' })];
    const { app_id } = await createApp(gateway, {
      developer_id,
      description: 'Long',
      long_description: 'Longer',
      pricing_model: 'per_action',
      pricing_config: { tool_prices: { change_it: 25 }, monthly_price: 9 },
      tools,
    });
    const { status, body } = await detail(app_id);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      app_id,
      description: 'Long',
      long_description: 'Longer',
      author: 'Ada Ltd.',
      homepage: 'https://ada.example',
      license: null,
      monthly_price: null,
      published_at: expect.any(String),
      updated_at: expect.any(String),
      is_installed: null,
    });
    expect(body.tools).toEqual([
      { name: 'read_it', description: 'Does read_it.', action_type: 'read', price: 0 },
      { name: '__proto__', description: 'Does __proto__.', action_type: 'read', price: 0 },
      { name: 'change_it', description: 'Does change_it.', action_type: 'write', price: 25 },
    ]);
  });

  it('costs what is charged, also while the settings say something else already', async () => {
    const { app_id } = await pricedApp(gateway, { perCall: { change_it: 25 } });
    await gateway.service.query(
      `UPDATE apps SET pricing_config = '{"tool_prices": {"change_it": 26}}' WHERE app_id = $1`,
      [app_id],
    );
    expect((await detail(app_id)).body.tools).toMatchObject([{ name: 'change_it', price: 25 }]);
    await setPrices(gateway, app_id, { perCall: { change_it: 26 } });
    expect((await detail(app_id)).body.tools).toMatchObject([{ name: 'change_it', price: 26 }]);
  });

  it('is paid for by the month where it says so', async () => {
    const { app_id } = await createApp(gateway, {
      pricing_model: 'subscription',
      pricing_config: { monthly_price: 900 },
    });
    expect((await detail(app_id)).body).toMatchObject({ monthly_price: 900, tools: [{ price: 0 }] });
  });

  it('is not there unless it is listed', async () => {
    const unlisted = [
      (await createApp(gateway, { status: 'draft' })).app_id,
      (await createApp(gateway, { status: 'suspended' })).app_id,
      (await createApp(gateway, { system: true })).app_id,
      'unknown',
      '__proto__',
      'a'.repeat(300),
    ];
    for (const id of unlisted) {
      for (const path of ['', '/webhooks'])
        expect(await gateway.client().get(`/v1/marketplace/apps/${id}${path}`)).toMatchObject(NOT_FOUND);
    }
  });

  it('names its webhooks, and nothing of how they are protected', async () => {
    const webhooks = [
      {
        path: 'stripe/events',
        method: 'POST',
        secret_header: 'Stripe-Signature',
        description: 'x',
        impl: { steps: [] },
      },
    ];
    const { app_id } = await createApp(gateway, { document: { ir_version: '1.0', app: { webhooks } } });
    const answer = await gateway.client().get(`/v1/marketplace/apps/${app_id}/webhooks`);
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toEqual([{ path: 'stripe/events', method: 'POST' }]);
    const { app_id: without } = await createApp(gateway);
    expect((await gateway.client().get(`/v1/marketplace/apps/${without}/webhooks`)).body).toEqual([]);
  });
});

describe('an icon', () => {
  const icon = (appId: string) => gateway.client().get<string>(`/v1/marketplace/apps/${appId}/icon`);

  it('is the image of the app, which can do nothing when it is opened', async () => {
    const icon_svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>';
    const { app_id } = await createApp(gateway, { icon_svg });
    const { status, headers, body } = await icon(app_id);
    expect([status, body]).toEqual([200, icon_svg]);
    expect(headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
    );
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    const known = { 'If-None-Match': headers.get('etag') ?? '', 'Cache-Control': 'max-age=0' };
    expect((await gateway.client().get(`/v1/marketplace/apps/${app_id}/icon`, { headers: known })).status).toBe(304);
  });

  it.each([
    ['invoices', '>I</text>'],
    ['  éclair', '>É</text>'],
    ['<script>alert(1)</script>', '>S</text>'],
    ['"&<>', '></text>'],
    ['日历', '>日</text>'],
  ])('is the initial of %j where there is none', async (display_name, shown) => {
    const { app_id } = await createApp(gateway, { display_name });
    const { body } = await icon(app_id);
    expect(body).toContain(shown);
    expect(body).not.toContain('script');
  });

  it('is there for what the platform brings, and not for what is not listed', async () => {
    expect((await icon((await createApp(gateway, { system: true })).app_id)).status).toBe(200);
    for (const id of ['unknown', (await createApp(gateway, { status: 'draft' })).app_id])
      expect(await icon(id)).toMatchObject(NOT_FOUND);
  });
});

describe('what else there is to look at', () => {
  it('has what the operator puts forward, the most installed first', async () => {
    const apps = await Promise.all([1, 2, 3].map(() => createApp(gateway, { featured: true })));
    await createApp(gateway, { featured: true, status: 'draft' });
    await createApp(gateway, { featured: true, system: true });
    const [one, two, three] = apps.map(({ app_id }) => app_id) as [string, string, string];
    await count(two, 'install_count = 9');
    await count(three, 'install_count = 5');
    const featured = async (query = '') =>
      (await gateway.client().get<MarketplaceApp[]>(`/v1/marketplace/featured${query}`)).body.map(
        ({ app_id }) => app_id,
      );
    expect(await featured()).toEqual([two, three, one]);
    expect(await featured('?limit=2')).toEqual([two, three]);
    for (const limit of ['0', '21', 'x'])
      expect((await gateway.client().get(`/v1/marketplace/featured?limit=${limit}`)).status).toBe(422);
  });

  it.each([
    ['productivty', 'There is no such category. Did you mean productivity?'],
    ["x' | 'calendar", expect.stringContaining('There is no such category.')],
    ['', expect.any(String)],
  ])('refuses a category that there is not, with or without a search: %j', async (category, msg) => {
    for (const more of ['', '&search=calendar', '&search=calendar&sort=name']) {
      const { status, body } = await gateway
        .client()
        .get(`/v1/marketplace/apps?category=${encodeURIComponent(category)}${more}`);
      expect({ status, body }).toMatchObject({ status: 422, body: { detail: [{ loc: ['query', 'category'], msg }] } });
    }
  });

  it('has categories with their counts, also those that are not in the catalogue', async () => {
    const counts = async () =>
      new Map(
        (await gateway.client().get<MarketplaceCategory[]>('/v1/marketplace/categories')).body.map(
          ({ id, ...rest }) => [id, rest],
        ),
      );
    const before = await counts();
    expect(before.get('hr')).toEqual({ label: 'People', count: 0 });
    await createApp(gateway, { category: 'hr' });
    await createApp(gateway, { category: 'hr', status: 'draft' });
    await createApp(gateway, { category: 'hr', system: true });
    await createApp(gateway, { category: 'beekeeping' });
    const after = await counts();
    expect(after.get('hr')).toEqual({ label: 'People', count: 1 });
    expect(after.get('beekeeping')).toEqual({ label: 'beekeeping', count: 1 });
    expect(await ids('?category=beekeeping')).toHaveLength(1);
    const catalog = await gateway.client().get('/v1/marketplace/categories/catalog');
    expect(catalog).toMatchObject({ status: 200 });
    expect(catalog.body).toContainEqual({
      id: 'hr',
      label: 'People',
      description: 'Hiring, teams and time off',
      aliases: ['human resources', 'recruiting'],
    });
  });

  it('has developers with their apps', async () => {
    const developer_id = await createDeveloper(gateway, { display_name: 'Grace', nickname: 'grace-apps' });
    const page = (id: string) => gateway.client().get<MarketplaceDeveloper>(`/v1/marketplace/developer/${id}`);
    expect((await page(developer_id)).body).toEqual({
      developer_id,
      nickname: 'grace-apps',
      display_name: 'Grace',
      description: '',
      website: null,
      tier: 'explorer',
      apps: [],
      total_installs: 0,
      avg_rating: 0,
    });
    const [one, two] = [await createApp(gateway, { developer_id }), await createApp(gateway, { developer_id })];
    await createApp(gateway, { developer_id, status: 'draft' });
    await count(one.app_id, 'install_count = 2, review_count = 2, rating_sum = 9');
    await count(two.app_id, 'install_count = 3, review_count = 1, rating_sum = 1');
    const { body } = await page(developer_id);
    expect(body).toMatchObject({ total_installs: 5, avg_rating: 3.33 });
    expect(body.apps.map(({ app_id }) => app_id)).toEqual([two.app_id, one.app_id]);
    const missing = { status: 404, body: { code: 'developer.not_found' } };
    for (const id of ['usr_unknown', (await gateway.user()).id]) expect(await page(id)).toMatchObject(missing);
    await gateway.service.query('UPDATE users SET erased_at = now() WHERE id = $1', [developer_id]);
    expect(await page(developer_id)).toMatchObject(missing);
  });
});
