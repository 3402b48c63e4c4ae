import { FakePlatform } from '../testing/fake-platform.js';

let platform: FakePlatform;
beforeAll(async () => (platform = await FakePlatform.start()));
beforeEach(() => {
  platform.reset();
  platform.signIn();
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => platform.stop());

const pending = (at: number) => ({
  app_id: `app-${at}`,
  name: 'Notes',
  submitted_version: '1.1.0',
  developer_id: 'usr_1',
  submitted_at: '2026-11-21T10:00:00Z',
  ...{ served_version: null, waits_for: null, sha256: 'ab'.repeat(32), hosts: [], capabilities: [] },
  ...{ pricing_model: 'free', pricing_config: null, revenue_split_dev: 70 },
});

describe('platform review', () => {
  it('lists all that wait, however many pages there are', async () => {
    const all = Array.from({ length: 201 }, (_each, at) => pending(at));
    platform.answer = ({ line }) => {
      const { searchParams } = new URL(line.slice('GET '.length), platform.url);
      const [limit, offset] = [Number(searchParams.get('limit')), Number(searchParams.get('offset'))];
      return [200, all.slice(offset, offset + limit)];
    };
    expect(await platform.run('review', '--json')).toBeNull();
    expect((JSON.parse(platform.printed) as { app_id: string }[]).map(({ app_id }) => app_id)).toEqual(
      all.map(({ app_id }) => app_id),
    );
  });

  it('says what is new in a version', async () => {
    const news = {
      scopes: ['mail:send'],
      hosts: [],
      capabilities: [],
      events: [],
      webhooks: ['POST in'],
      schedules: [],
      functions: [],
      name: null,
      icon: false,
    };
    platform.answer = () => [200, [{ ...pending(1), served_version: '1.0.0', waits_for: news }, pending(2)]];
    expect(await platform.run('review')).toBeNull();
    expect(platform.printed).toMatch(
      /\n\napp-1 1\.1\.0 is free of charge\.\nNew in app-1 1\.1\.0 \(currently running: 1\.0\.0\):\n {2}scopes: mail:send\n {2}webhooks: POST in\n\n/,
    );
  });

  it('says where an app that is new may send requests', async () => {
    const hosts = [['a.example', 'b.example'], ['*'], null, []];
    platform.answer = () => [200, hosts.map((each, at) => ({ ...pending(at), waits_for: null, hosts: each }))];
    expect(await platform.run('review')).toBeNull();
    const requests = [
      'can send requests to: a.example, b.example',
      'can send requests to any host.',
      'cannot send requests.',
      'cannot send requests.',
    ];
    expect(platform.printed.split('\n').filter((line) => line.includes('requests'))).toEqual(
      requests.map((text, at) => `app-${at} 1.1.0 ${text}`),
    );
  });
  it('says what of its context an app that is new may use', async () => {
    const capabilities = [['store', 'notify\u001b[2J'], []];
    platform.answer = () => [
      200,
      capabilities.map((each, at) => ({ ...pending(at), waits_for: null, hosts: [], capabilities: each })),
    ];
    expect(await platform.run('review')).toBeNull();
    expect(platform.printed).toMatch(
      /app-0 1\.1\.0 can use these parts of its context \(ctx\): store, notify(?!.*\u001b)/,
    );
    expect(platform.printed).toContain('app-1 1.1.0 declares no capabilities of its context (ctx).');
  });

  it('says what users will pay for an app, in one line', async () => {
    const prices = [
      { pricing_model: 'free', pricing_config: null, revenue_split_dev: 70 },
      {
        pricing_model: 'per_action',
        pricing_config: { tool_prices: { greet: 20, 'send\u001b[2J': 5 } },
        revenue_split_dev: 70,
      },
      { pricing_model: 'per_action', pricing_config: null, revenue_split_dev: 60 },
      { pricing_model: 'subscription', pricing_config: { monthly_price: 300 }, revenue_split_dev: 95 },
    ];
    const apps = prices.map((each, at) => ({ ...pending(at), waits_for: null, hosts: [], capabilities: [], ...each }));
    platform.answer = () => [200, apps];
    expect(await platform.run('review')).toBeNull();
    const costs = platform.printed.split('\n').filter((line) => / (is free|is paid|costs) /.test(line));
    expect(costs).toEqual([
      'app-0 1.1.0 is free of charge.',
      expect.stringMatching(
        /^app-1 1\.1\.0 is paid per call, in credits: greet 20, send.* 5; the developer gets 70 %\.$/,
      ),
      'app-2 1.1.0 is paid per call, in credits: no prices yet; the developer gets 60 %.',
      'app-3 1.1.0 costs 300 credits per month; the developer gets 95 %.',
    ]);
    expect(platform.printed).not.toContain('\u001b');
    platform.answer = () => [200, { ...content(null), ...prices[3] }];
    expect(await platform.run('review', 'show', 'app-1')).toBeNull();
    expect(platform.printed).toContain('It costs 300 credits per month; the developer gets 95 %.\n');
  });

  it('names what was looked at, as the list shows it', async () => {
    const { sha256 } = pending(1);
    platform.answer = () => [200, [pending(1)]];
    expect(await platform.run('review')).toBeNull();
    expect(platform.printed).toContain(sha256);
    platform.answer = ({ line }) => [
      200,
      { app_id: 'app-1', version: '1.1.0', status: line.endsWith('/approve') ? 'active' : 'draft' },
    ];
    expect(await platform.run('review', 'approve', 'app-1', '1.1.0', sha256)).toBeNull();
    expect(await platform.run('review', 'reject', 'app-1', '1.1.0', sha256, '--reason', 'No.')).toBeNull();
    expect(await platform.run('review', 'approve', 'app-1', '1.1.0')).toBeNull();
    expect(platform.asked.map(({ body }) => body).filter(Boolean)).toEqual([
      { version: '1.1.0', sha256 },
      { version: '1.1.0', sha256, reason: 'No.' },
      { version: '1.1.0' },
    ]);
  });

  const content = (document: object | null) => ({
    ...pending(1),
    ...{
      served_version: null,
      waits_for: null,
      sha256: 'ab'.repeat(32),
      hosts: [],
      capabilities: ['store'],
      requested_scopes: ['mail:send'],
    },
    ...{ icon_svg: null, document, manifest: document ? null : { tools: [{ name: 'greet' }] } },
    modules: document ? [{ name: 'main', bytes: 12, sha256: 'cd'.repeat(32) }] : [],
  });

  it('shows what waits of an app', async () => {
    const app = {
      functions: [{ name: 'greet', action_type: 'read', required_scopes: ['notes:read'] }],
      webhooks: [{ path: 'in', method: ['GET', 'POST'] }],
      schedules: [{ name: 'digest', cron: '0 7 * * *' }],
      events: { subscribes: [{ type: 'tasks.made' }], emits: [{ type: 'app-1.noted\u001b[2J' }] },
      ui: { panels: [] },
      secrets: [{ name: 'token', scope: 'user' }],
    };
    platform.answer = () => [200, content({ app })];
    expect(await platform.run('review', 'show', 'app-1', '1.1.0')).toBeNull();
    expect(platform.asked.at(-1)).toMatchObject({ line: 'GET /v1/admin/apps/app-1/pending?version=1.1.0' });
    const shown = [
      ...[
        'greet (read, notes:read)',
        'GET|POST in',
        'digest (0 7 * * *)',
        'tasks.made',
        'token (user)',
        'mail:send',
        'ctx): store',
      ],
      ...[`main, 12 bytes, sha256 ${'cd'.repeat(32)}`, `platform review approve app-1 1.1.0 ${'ab'.repeat(32)}`],
    ];
    for (const text of shown) expect(platform.printed).toContain(text);
    expect(platform.printed).not.toContain('\u001b');
    expect(await platform.run('review', 'show', 'app-1', '--json')).toBeNull();
    expect(platform.printed).toContain('"cron"');
  });

  it('shows the functions of what came without a document', async () => {
    platform.answer = () => [200, content(null)];
    expect(await platform.run('review', 'show', 'app-1')).toBeNull();
    expect(platform.printed).toMatch(/Functions +greet\n/);
  });

  it.each(['approve', 'reject'])(
    'names the commands where something else has to be looked at: %s',
    async (decision) => {
      const refusal = { detail: 'Look at it.', code: 'app.review_content_missing', request_id: 'req_1' };
      platform.answer = ({ line }) => (line.startsWith('POST') ? [409, refusal] : [200, content(null)]);
      const failure = await platform.run(
        'review',
        decision,
        'app-1',
        '1.1.0',
        ...(decision === 'reject' ? ['--reason', 'No.'] : []),
      );
      expect(failure?.message).toContain('platform review show app-1 1.1.0\n');
      expect(failure?.message).toContain(`platform review ${decision} app-1 1.1.0 ${'ab'.repeat(32)}`);
    },
  );
});
