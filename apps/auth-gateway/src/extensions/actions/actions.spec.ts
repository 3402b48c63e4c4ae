import { LedgerService, MeterCountsRepository, SubscriptionsService, WalletsRepository } from '@platform/billing';
import type {
  ActionDetailResponse,
  ActionPageResponse,
  ActionStatsResponse,
  AppActionStats,
  CreatedAction,
  ExtensionActionStats,
} from '@platform/contracts';
import { newId } from '@platform/platform';
import { HeldLock, until, type TestClient } from '@platform/testing';
import { DataSource } from 'typeorm';
import { createApp, createDeveloper, pricedApp, tool } from '../../testing/apps.js';
import { GatewayTest, type TestUser } from '../../testing/gateway-test.js';
import { waitIfMidnightIsNear } from '../../testing/midnight.js';
import { createTenant } from '../../testing/tenants.js';
import { giveCredits } from '../../testing/wallets.js';
import { ActionLogService, type RecordedCall } from './action-log.service.js';

let gateway: GatewayTest;
let backend: TestClient;
let user: TestUser;
let client: TestClient;
beforeAll(async () => {
  gateway = await GatewayTest.start();
  backend = gateway.backend();
  for (const app_id of ['notes', 'mail']) await createApp(gateway, { app_id, tools: TOOLS });
});
beforeEach(async () => {
  user = await gateway.user();
  client = await gateway.signIn(user);
});
afterAll(() => gateway.stop());

const TOOLS = ['create_note', 'list_notes', 'first', 'second', 'third'].map((name) => tool(name));

const query = <Row>(sql: string, values: unknown[] = []) => gateway.service.query<Row>(sql, values);

const post = (changes: object = {}) =>
  backend.post<CreatedAction>('/v1/actions', {
    trace_id: newId('trace'),
    user_id: user.id,
    app_id: 'notes',
    tool_name: 'create_note',
    action_type: 'write',
    status: 'success',
    ...changes,
  });
/** A call that the gateway made itself. */
const made = (changes: Partial<RecordedCall> = {}): RecordedCall => ({
  userId: user.id,
  tenantId: 'default',
  appId: 'notes',
  function: 'create_note',
  actionType: 'write',
  status: 'success',
  errorCode: null,
  error: null,
  durationMs: 1.5,
  details: { via: 'call' },
  ...changes,
});
const list = async (search = '', as = client) => (await as.get<ActionPageResponse>(`/v1/actions${search}`)).body;

describe('an action that a backend records', () => {
  it('is the user’s, with all that is known of it', async () => {
    const trace_id = newId('trace');
    const llm_steps = [
      { kind: 'plan', tokens: 12 },
      { kind: 'call', tool: 'create_note', args: { text: 'Milk' } },
    ];
    const details = {
      chain_id: 'chain-1',
      message_preview: 'Make a note',
      llm_model: 'small',
      llm_steps,
      llm_total_tokens: 42,
    };
    const amounts = {
      duration_ms: 120,
      tokens_used: 9_007_199_254_740_991,
      action_price: 5,
      extension_price: 3,
      platform_fee: 2,
    };
    const { status, body } = await post({ trace_id, ...details, ...amounts, completed_at: '2026-11-21T10:00:00Z' });
    expect([status, body]).toEqual([200, { id: expect.stringMatching(/^act_/), trace_id }]);
    expect((await client.get<ActionDetailResponse>(`/v1/actions/${trace_id}`)).body).toEqual({
      id: body.id,
      trace_id,
      user_id: user.id,
      tenant_id: 'default',
      app_id: 'notes',
      function: 'create_note',
      tool_name: 'create_note',
      action_type: 'write',
      status: 'success',
      error_code: null,
      error: null,
      ...amounts,
      created_at: expect.any(String),
      completed_at: '2026-11-21T10:00:00.000Z',
      details: { ...details, heartbeat_count: 0, llm_total_calls: 0 },
    });
  });

  it.each([
    '20261121T100000Z',
    '2026-W47-6T10:00:00Z',
    '2026-11-31T10:00:00Z',
    '2026-11-21T10:00:00,5Z',
    '2026-11-21T10:00:00',
    '0000-01-01T00:00Z',
  ])('is not completed at %s, which is no time', async (completed_at) => {
    const answer = await post({ trace_id: newId('trace'), completed_at });
    expect(answer).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'completed_at'], type: 'datetime_parsing' }] },
    });
  });

  it('is read to the millisecond, with the offset that it has', async () => {
    const trace_id = newId('trace');
    expect((await post({ trace_id, completed_at: '2026-11-21t12:00:00.123456+02:00' })).status).toBe(200);
    expect((await client.get(`/v1/actions/${trace_id}`)).body).toMatchObject({
      completed_at: '2026-11-21T10:00:00.123Z',
    });
  });

  it('has no number beyond a double', async () => {
    const answer = await backend.request('POST', '/v1/actions', undefined, {
      raw: '{"llm_steps":[{"tokens":1e400}]}',
      headers: { 'Content-Type': 'application/json' },
    });
    expect(answer).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'llm_steps', 0, 'tokens'], type: 'finite_number' }] },
    });
  });

  it('is one, however often it comes and at once', async () => {
    const trace_id = newId('trace');
    const answers = await Promise.all(TOOLS.map(({ name }) => post({ trace_id, tool_name: name })));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    expect((await list()).total).toBe(1);
  });

  it('is of the tenant of its user, who must exist', async () => {
    const { id: tenant_id } = await createTenant(backend);
    const theirs = await gateway.user({ tenant_id });
    expect((await post({ user_id: theirs.id })).status).toBe(200);
    expect((await post({ user_id: theirs.id, tenant_id })).status).toBe(200);
    expect(await post({ tenant_id })).toMatchObject({ status: 403, body: { code: 'other_tenant' } });
    expect(await post({ user_id: 'usr_nobody' })).toMatchObject({ status: 404, body: { code: 'user.not_found' } });
    const trace_id = newId('trace');
    await post({ trace_id });
    expect(await post({ trace_id, user_id: theirs.id })).toMatchObject({
      status: 409,
      body: { code: 'action.trace_id_taken' },
    });
    expect((await list('', await gateway.signIn(theirs))).items.map((item) => item.tenant_id)).toEqual([
      tenant_id,
      tenant_id,
    ]);
  });

  it.each<[string, object]>([
    ['no trace id', { trace_id: undefined }],
    ['an empty trace id', { trace_id: '' }],
    ['an unknown type', { action_type: 'maybe' }],
    ['a negative price', { action_price: -1 }],
    ['a fraction of a token', { tokens_used: 1.5 }],
    ['a name of two lines', { tool_name: 'a\nb' }],
    ['a key that nobody knows', { credits: 1 }],
    ['a status that nobody knows', { status: 'maybe' }],
    ['steps that are a number', { llm_steps: 3 }],
    ['a step that is no object', { llm_steps: ['plan'] }],
    ['more steps than it may have', { llm_steps: Array.from({ length: 201 }, () => ({})) }],
    ['longer steps than it may have', { llm_steps: [{ text: 'x'.repeat(65_536) }] }],
  ])('is refused with %s', async (_what, changes) => expect((await post(changes)).status).toBe(422));

  it.each([
    ['an app', { app_id: 'no-such-app' }, 'app_id'],
    ['a function', { tool_name: 'no_such_function' }, 'tool_name'],
  ])('is refused with %s that there is not, and counts for nothing', async (_what, changes, key) => {
    expect(await post(changes)).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', key] }] } });
    expect((await list()).total).toBe(0);
  });

  it('may be of a function that only an older version has, and is the same once its app is gone', async () => {
    const { app_id } = await createApp(gateway, { tools: [tool('kept')] });
    await query(
      `INSERT INTO app_versions (app_id, version, sha256, manifest) SELECT app_id, '0.9.0', sha256('old'), jsonb_build_object('version', '0.9.0',
         'tools', jsonb_build_array(jsonb_build_object('name', 'dropped')), 'skeleton_sections', '[]'::jsonb) FROM apps WHERE app_id = $1`,
      [app_id],
    );
    const trace_id = newId('trace');
    const first = await post({ app_id, tool_name: 'dropped', trace_id });
    expect(first.status).toBe(200);
    await query('UPDATE apps SET served_version = NULL, status = $2 WHERE app_id = $1', [app_id, 'draft']);
    for (const table of ['app_versions', 'apps']) await query(`DELETE FROM ${table} WHERE app_id = $1`, [app_id]);
    expect(await post({ app_id, tool_name: 'dropped', trace_id })).toMatchObject({ status: 200, body: first.body });
  });

  it('is recorded by trusted backends alone', async () => {
    for (const stranger of [client, gateway.client()])
      expect((await stranger.post('/v1/actions', {})).status).toBe(401);
  });
});

describe('what an action costs', () => {
  interface Charged {
    amount: number;
    kind: string;
    counter: string;
    idem_key: string;
    app_id: string;
    function: string;
    price_version: number | null;
    developer_id: string | null;
    earned_base: number;
    share: number;
    ref: string;
  }
  const charges = (userId = user.id) =>
    query<Charged>(
      `SELECT e.amount::int, e.kind, e.counter, e.idem_key, e.app_id, e.function, e.price_version, e.developer_id, e.earned_base::int, e.share::int, e.ref
       FROM ledger_entries e JOIN wallets w ON w.id = e.wallet_id WHERE w.user_id = $1 AND e.amount < 0 ORDER BY e.seq`,
      [userId],
    );
  const walletOf = async (userId = user.id) =>
    (
      await query<{ balance: number; debt: number }>('SELECT balance::int, debt::int FROM wallets WHERE user_id = $1', [
        userId,
      ])
    )[0];
  const tokens = async (userId = user.id) =>
    (
      await query<{ used: number }>("SELECT used::int FROM usage_counters WHERE user_id = $1 AND meter = 'ai_tokens'", [
        userId,
      ])
    )[0]?.used;
  /**
   * Gives exactly this many earning credits. The plan starts first, because its own credits would
   * otherwise arrive later.
   */
  const pay = async (amount: number) => {
    await gateway.service.app.get(SubscriptionsService, { strict: false }).ensureFreePlan(user.id);
    await query('UPDATE subscriptions SET period_ends_at = now() + interval $$100 years$$ WHERE user_id = $1', [
      user.id,
    ]);
    await takeAll();
    if (amount) await giveCredits(gateway, user.id, amount, { earns: true });
  };
  const takeAll = async () => {
    const walletId = await gateway.service.app.get(WalletsRepository).ensureWallet(user.id);
    const amount = (await walletOf())?.balance ?? 0;
    if (amount)
      await gateway.service.app.get(LedgerService).debit(walletId, { key: newId('test'), amount, kind: 'payout' });
  };
  const PRICED = { action_price: 12, extension_price: 10, platform_fee: 2 };
  /** Charges for calls, without those of the preparation. */
  const actionCharges = async (userId = user.id) =>
    (await charges(userId)).filter(({ kind }) => kind === 'action_charge');

  it('is charged, with the developer’s share of what is not the platform’s', async () => {
    const { app_id, developer_id } = await pricedApp(
      gateway,
      { perCall: { create_note: 3 }, split: 80 },
      { tools: TOOLS },
    );
    await pay(100);
    const trace_id = newId('trace');
    const { body } = await post({ trace_id, app_id, ...PRICED });
    expect(await actionCharges()).toEqual([
      {
        amount: -12,
        kind: 'action_charge',
        counter: 'usage',
        idem_key: `action:${trace_id}`,
        app_id,
        function: 'create_note',
        price_version: 1,
        developer_id,
        earned_base: 10,
        share: 8,
        ref: body.id,
      },
    ]);
    expect(await walletOf()).toEqual({ balance: 88, debt: 0 });
    expect((await client.get<ActionDetailResponse>(`/v1/actions/${trace_id}`)).body).toMatchObject(PRICED);
  });

  it('is shared as the app says where it has no prices, and not of the user’s own app or one of the platform', async () => {
    const theirs = await createApp(gateway, { tools: TOOLS });
    await query('UPDATE apps SET revenue_split_dev = 65 WHERE app_id = $1', [theirs.app_id]);
    await query("INSERT INTO developers (user_id, display_name) VALUES ($1, 'Ada')", [user.id]);
    const own = await createApp(gateway, { developer_id: user.id, tools: TOOLS });
    const system = await createApp(gateway, { system: true, tools: TOOLS });
    await pay(1_000);
    for (const { app_id } of [theirs, own, system]) await post({ app_id, ...PRICED });
    await post({ app_id: theirs.app_id, action_price: 7, platform_fee: 7 });
    const none = { developer_id: null, earned_base: 0, share: 0, price_version: null };
    expect(await actionCharges()).toMatchObject([
      { app_id: theirs.app_id, developer_id: theirs.developer_id, earned_base: 10, share: 6, price_version: null },
      { app_id: own.app_id, amount: -12, ...none },
      { app_id: system.app_id, amount: -12, ...none },
      { app_id: theirs.app_id, amount: -7, ...none },
    ]);
  });

  it('is charged once, however often it comes and at once', async () => {
    await pay(100);
    const trace_id = newId('trace');
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => post({ trace_id, ...PRICED, llm_total_tokens: 40 })),
    );
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    expect(await post({ trace_id, ...PRICED, llm_total_tokens: 40 })).toMatchObject({
      status: 200,
      body: { id: answers[0]?.body.id },
    });
    expect(await actionCharges()).toHaveLength(1);
    expect(await walletOf()).toEqual({ balance: 88, debt: 0 });
    expect(await tokens()).toBe(40);
  });

  it('is not another one with the same trace id: not with other prices, not of another user', async () => {
    await pay(100);
    const trace_id = newId('trace');
    await post({ trace_id, ...PRICED });
    const others = [
      { action_price: 13, extension_price: 11, platform_fee: 2 },
      { action_price: 12, extension_price: 9, platform_fee: 3 },
      { action_price: 0, extension_price: 0, platform_fee: 0 },
    ];
    for (const prices of others) {
      expect(await post({ trace_id, ...prices })).toMatchObject({
        status: 409,
        body: { code: 'action.prices_differ' },
      });
    }
    const other = await gateway.user();
    const taken = { status: 409, body: { code: 'action.trace_id_taken' } };
    expect(await post({ trace_id, ...PRICED, user_id: other.id })).toMatchObject(taken);
    expect(await actionCharges()).toHaveLength(1);
    expect(await actionCharges(other.id)).toEqual([]);
  });

  it('stays charged once the action is forgotten, and is recorded again without that', async () => {
    await pay(100);
    const trace_id = newId('trace');
    const { body: first } = await post({ trace_id, ...PRICED, llm_total_tokens: 40 });
    const forget = () => query('DELETE FROM actions WHERE trace_id = $1', [trace_id]);
    await forget();
    const { status, body } = await post({ trace_id, ...PRICED, llm_total_tokens: 40 });
    expect([status, body.id === first.id]).toEqual([200, false]);
    expect([await actionCharges(), await tokens()]).toMatchObject([[{ ref: first.id }], 40]);
    await forget();
    expect(await post({ trace_id, action_price: 5, platform_fee: 5 })).toMatchObject({
      status: 409,
      body: { code: 'action.prices_differ' },
    });
    expect((await list()).total).toBe(0);
  });

  it('is owed where the user has too little, and makes a wallet for who has none', async () => {
    const { app_id } = await pricedApp(gateway, { perCall: { make: 3 }, split: 50 }, { tools: TOOLS });
    await pay(6);
    expect((await post({ app_id, ...PRICED })).status).toBe(200);
    expect(await walletOf()).toEqual({ balance: 0, debt: 6 });
    // The developer has a share of the paid part and none of the debt.
    expect(await actionCharges()).toMatchObject([{ amount: -6, earned_base: 5, share: 2 }]);
    const trace_id = newId('trace');
    for (let at = 0; at < 2; at++) expect((await post({ trace_id, app_id, ...PRICED })).status).toBe(200);
    expect(await walletOf()).toEqual({ balance: 0, debt: 18 });
    await giveCredits(gateway, user.id, 20);
    expect(await walletOf()).toEqual({ balance: 2, debt: 0 });
    expect((await post({ trace_id, app_id, ...PRICED })).status).toBe(200);
    const poor = await gateway.user();
    await post({ user_id: poor.id, ...PRICED });
    expect(await walletOf(poor.id)).toMatchObject({ debt: 12 });
  });

  it('is nothing for an action that has not succeeded, whatever it says, also later', async () => {
    await pay(100);
    for (const status of ['error', 'failed', 'timeout', 'cancelled', 'rejected']) {
      const trace_id = newId('trace');
      for (let at = 0; at < 2; at++)
        expect((await post({ trace_id, status, ...PRICED, tokens_used: 3 })).status).toBe(200);
      const { body } = await client.get<ActionDetailResponse>(`/v1/actions/${trace_id}`);
      expect(body).toMatchObject({ action_price: 0, extension_price: 0, platform_fee: 0 });
      expect(await post({ trace_id, ...PRICED })).toMatchObject({
        status: 409,
        body: { code: 'action.prices_differ' },
      });
    }
    await post({ status: 'completed', ...PRICED });
    expect(await walletOf()).toEqual({ balance: 88, debt: 0 });
    // The model has already produced these tokens.
    expect(await tokens()).toBe(15);
  });

  it('is beside the tokens of models, which count for the plan', async () => {
    await post({ llm_total_tokens: 100, tokens_used: 7 });
    await post({ llm_total_tokens: 0, tokens_used: 7 });
    await post({});
    expect(await tokens()).toBe(107);
    expect(await actionCharges()).toEqual([]);
  });

  it('is charged and recorded both, or neither', async () => {
    await pay(100);
    const charge = jest
      .spyOn(gateway.service.app.get(MeterCountsRepository, { strict: false }), 'addUse')
      .mockRejectedValueOnce(new Error('away'));
    const trace_id = newId('trace');
    try {
      expect((await post({ trace_id, ...PRICED })).status).toBe(500);
      expect([(await list()).total, await actionCharges()]).toEqual([0, []]);
    } finally {
      charge.mockRestore();
    }
    expect((await post({ trace_id, ...PRICED })).status).toBe(200);
    expect(await actionCharges()).toHaveLength(1);
  });

  it.each([
    ['less', { action_price: 11, extension_price: 10, platform_fee: 2 }],
    ['more', { action_price: 13, extension_price: 10, platform_fee: 2 }],
    ['nothing', { extension_price: 10 }],
    ['a part', { action_price: 10 }],
    ['more, of an action that has failed,', { action_price: 1, status: 'error' }],
  ])('is refused where the whole is %s than its parts', async (_what, prices) => {
    expect(await post(prices)).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'action_price'] }] } });
    expect((await list()).total).toBe(0);
  });

  it.each([-5, 0.5, '1e3', 2 ** 53, 1e12 + 1])('is no %p', async (price) => {
    expect((await post({ action_price: price, extension_price: price })).status).toBe(422);
    expect((await list()).total).toBe(0);
  });
});

describe('the actions of a user', () => {
  it('are listed, the newest first, by page, and searched', async () => {
    await post({ app_id: 'notes', tool_name: 'first' });
    await post({ app_id: 'mail', tool_name: 'second', status: 'error', error: '100% of the Box is full' });
    await post({ app_id: 'notes', tool_name: 'third', action_type: 'read' });
    const names = async (search: string) => (await list(search)).items.map(({ tool_name }) => tool_name);
    expect(await names('')).toEqual(['third', 'second', 'first']);
    expect(await names('?app_id=notes')).toEqual(['third', 'first']);
    expect(await names('?action_type=read')).toEqual(['third']);
    expect(await names('?status=error')).toEqual(['second']);
    for (const [search, found] of Object.entries({
      HIR: ['third'],
      mail: ['second'],
      'the box': ['second'],
      '100%': ['second'],
      '%': ['second'],
      _: [],
    })) {
      expect([search, await names(`?search=${encodeURIComponent(search)}`)]).toEqual([search, found]);
    }
    expect(await list('?page=2&per_page=2')).toMatchObject({
      items: [{ tool_name: 'first' }],
      total: 3,
      page: 2,
      per_page: 2,
    });
    expect(await names('?kwargs=&action_type=read')).toEqual(['third']);
    for (const bad of ['page=0', 'per_page=201', 'action_type=x', 'status=maybe', 'app=notes'])
      expect((await client.get(`/v1/actions?${bad}`)).status).toBe(422);
  });

  it('are listed and searched as far back as the newest 10000, and further back by a time', async () => {
    const insert = (from: number, to: number, name: string) =>
      query(
        `INSERT INTO actions (id, trace_id, tenant_id, user_id, app_id, function, action_type, status, created_at)
         SELECT 'act_' || $1 || n, 'act_' || $1 || n, 'default', $1, 'notes', $2, 'read', 'success', timestamptz '2026-01-02' - n * interval '1 second'
         FROM generate_series($3::int, $4::int) AS n`,
        [user.id, name, from, to],
      );
    await insert(1, 9_998, 'list_notes');
    await insert(9_999, 10_000, 'second');
    const inAll = (await list('?search=second')) as object;
    expect(inAll).toMatchObject({
      items: [{ tool_name: 'second' }, { tool_name: 'second' }],
      total: 2,
      total_is_exact: true,
    });
    expect(await list('?page=10000&per_page=1')).toMatchObject({
      items: [{ tool_name: 'second' }],
      total: 10_000,
      total_is_exact: true,
    });
    await insert(0, 0, 'list_notes');
    for (const filter of ['search=second', 'search=SEC&app_id=notes&status=success'])
      expect(await list(`?${filter}`)).toMatchObject({
        items: [{ tool_name: 'second' }],
        total: 1,
        total_is_exact: false,
      });
    expect(await list('?per_page=200&page=51')).toMatchObject({ items: [], total: 10_000, total_is_exact: false });
    const before = '2026-01-01T23:59:00Z';
    expect(await list(`?search=second&to=${before}`)).toMatchObject(inAll);
    expect(await list(`?search=second&from=${before}`)).toMatchObject({ items: [], total: 0, total_is_exact: true });
    const pages = await Promise.all(
      ['page=1', 'page=2'].map((page) => list(`?per_page=1&to=${before}&status=success&${page}`)),
    );
    expect(pages.map(({ items }) => items[0]?.created_at)).toEqual([
      '2026-01-01T23:58:59.000Z',
      '2026-01-01T23:58:58.000Z',
    ]);
    await post({ trace_id: newId('trace'), status: 'error', error: 'Ame\u0301lie ΟΔΥΣΣΕΥΣ' });
    for (const search of ['Am\u00e9lie', 'οδυσσευς'])
      expect((await list(`?search=${encodeURIComponent(search)}`)).total).toBe(1);
    for (const from of ['some-day', '20260101', '2026-W01-1', '2026-02-29', '2026-01-01T24:00', '0000-01-01']) {
      expect(await client.get(`/v1/actions?from=${from}`)).toMatchObject({
        status: 422,
        body: { detail: [{ loc: ['query', 'from'] }] },
      });
    }
    expect((await client.get('/v1/actions?from=0001-01-01&to=9999-12-31T23:59:59%2B0000')).status).toBe(200);
  });

  it('are nobody else’s', async () => {
    const { body } = await post();
    const other = await gateway.signIn(await gateway.user({ role: 'admin' }));
    expect((await list('', other)).items).toEqual([]);
    for (const trace of [body.trace_id, 'no-such-trace']) {
      expect(await other.get(`/v1/actions/${trace}`)).toMatchObject({
        status: 404,
        body: { code: 'action.not_found' },
      });
    }
  });

  it('are counted since the month began', async () => {
    await waitIfMidnightIsNear();
    await post({ tokens_used: 10, action_price: 3, extension_price: 3 });
    await post({ tokens_used: 5, action_price: 2, platform_fee: 2, status: 'error' });
    await gateway.service.app.get(ActionLogService).record(made({ actionPrice: 2, extensionPrice: 2 }));
    await post({ app_id: 'mail' });
    const { body: old } = await post({ app_id: 'mail', tokens_used: 1_000 });
    await query(
      "UPDATE actions SET created_at = date_trunc('month', now(), 'UTC') - interval '1 second' WHERE id = $1",
      [old.id],
    );
    const { body } = await client.get<ActionStatsResponse>('/v1/actions/stats');
    expect(body).toMatchObject({
      actions: 4,
      tokens_used: 15,
      credits: 5,
      by_app: [
        { app_id: 'notes', actions: 3, tokens_used: 15, credits: 5 },
        { app_id: 'mail', actions: 1, tokens_used: 0, credits: 0 },
      ],
      limit: expect.any(Number),
    });
    expect(new Date(body.since).toISOString()).toMatch(/-01T00:00:00.000Z$/);
  });

  it('are of nobody once the user is erased', async () => {
    const { id: tenant_id } = await createTenant(backend);
    const gone = await gateway.user({ tenant_id });
    await post({ user_id: gone.id, error: 'of Ada', message_preview: 'from Ada', status: 'error' });
    expect((await backend.delete(`/v1/users/${gone.id}?permanent=true&tenant_id=${tenant_id}`)).status).toBe(200);
    const rows = await query('SELECT user_id, error, details, app_id FROM actions WHERE tenant_id = $1', [tenant_id]);
    expect(rows).toEqual([{ user_id: null, error: null, details: {}, app_id: 'notes' }]);
  });

  it('are of nobody where the user is erased while the call is under way', async () => {
    const { id: tenantId } = await createTenant(backend);
    const [gone, other] = [await gateway.user({ tenant_id: tenantId }), await gateway.user({ tenant_id: tenantId })];
    const own = { tenantId, status: 'error', errorCode: 'NO', error: 'of Ada' } as const;
    expect((await backend.delete(`/v1/users/${gone.id}?permanent=true&tenant_id=${tenantId}`)).status).toBe(200);
    const log = gateway.service.app.get(ActionLogService);
    await Promise.all([gone.id, other.id, null].map((userId) => log.record(made({ ...own, userId }))));
    const kept = { error_code: 'NO', error: 'of Ada', details: { via: 'call' } };
    expect(
      await query(
        'SELECT user_id, error_code, error, details FROM actions WHERE tenant_id = $1 ORDER BY user_id, error',
        [tenantId],
      ),
    ).toEqual([
      { user_id: other.id, ...kept },
      { user_id: null, ...kept },
      { user_id: null, ...kept, error: null, details: {} },
    ]);
  });

  it('are of nobody soon where the user is erased while they are being written', async () => {
    const { id: tenantId } = await createTenant(backend);
    const gone = await gateway.user({ tenant_id: tenantId });
    const id = newId('act');
    // A job may anonymise the action before the test reads it.
    await query('CREATE TABLE first_written AS SELECT user_id, error FROM actions WITH NO DATA');
    await query(`CREATE FUNCTION keep_first() RETURNS trigger LANGUAGE plpgsql
      AS 'BEGIN INSERT INTO first_written VALUES (NEW.user_id, NEW.error); RETURN NULL; END'`);
    await query(
      `CREATE TRIGGER keep_first AFTER INSERT ON actions FOR EACH ROW WHEN (NEW.id = '${id}') EXECUTE FUNCTION keep_first()`,
    );
    // A transaction that inserts the same id blocks the statement after it has begun.
    const holdsUp = await HeldLock.acquire(
      gateway.service,
      "INSERT INTO actions (id, trace_id, tenant_id, app_id, function, status) VALUES ($1, $1, $2, 'notes', 'create_note', 'success')",
      [id, tenantId],
    );
    const written = gateway.service.app
      .get(ActionLogService)
      .record(made({ id, tenantId, userId: gone.id, status: 'error', error: 'of Ada' }));
    await holdsUp.waitForBlocked(1);
    expect((await backend.delete(`/v1/users/${gone.id}?permanent=true&tenant_id=${tenantId}`)).status).toBe(200);
    // The first job found no actions, and the second waits for a minute: only the second can
    // anonymise this action.
    const OF_SECOND = "queue = 'actions' AND payload ->> 'user_id' = $1 AND payload ? 'until' AND due_at IS NOT NULL";
    await until(async () => (await query(`SELECT FROM outbox WHERE ${OF_SECOND}`, [gone.id])).length);
    await holdsUp.runStatement('ROLLBACK');
    await holdsUp.release();
    await written;
    const rows = () =>
      query<{ user_id: string | null }>('SELECT user_id, error, details FROM actions WHERE tenant_id = $1', [tenantId]);
    expect(await query('SELECT user_id, error FROM first_written')).toEqual([{ user_id: gone.id, error: 'of Ada' }]);
    await query(`UPDATE outbox SET payload = payload || '{"until": 0}', due_at = now() WHERE ${OF_SECOND}`, [gone.id]);
    await until(async () => (await rows())[0]?.user_id === null);
    expect(await rows()).toEqual([{ user_id: null, error: null, details: {} }]);
  });

  it.each([
    ['free', {}],
    ['paid', { action_price: 12, extension_price: 10, platform_fee: 2 }],
  ])('that are reported at the moment of the erasure, %s, are of nobody who is there', async (_what, prices) => {
    const erasure = await HeldLock.acquire(gateway.service, 'SELECT FROM users WHERE id = $1 FOR UPDATE', [user.id]);
    const reported = post(prices);
    await erasure.waitForBlocked(1);
    await erasure.runStatement('UPDATE users SET erased_at = now() WHERE id = $1', [user.id]);
    await erasure.release();
    expect((await reported).status).toBe(404);
    for (const table of ['actions', 'wallets'])
      expect(await query(`SELECT FROM ${table} WHERE user_id = $1`, [user.id])).toEqual([]);
  });

  it('are forgotten in batches where there are many, which the erasure does not wait for', async () => {
    const { id: tenant_id } = await createTenant(backend);
    const gone = await gateway.user({ tenant_id });
    await query(
      `INSERT INTO actions (id, trace_id, tenant_id, user_id, app_id, function, status, error, created_at)
       SELECT $1 || n, $1 || n, $2, $1, 'notes', 'create_note', 'error', 'of Ada', now() - n * interval '1 second' FROM generate_series(1, 2500) AS n`,
      [gone.id, tenant_id],
    );
    const theirs = async () => (await query('SELECT 1 FROM actions WHERE user_id = $1', [gone.id])).length;
    const oldest = await HeldLock.acquire(gateway.service, 'SELECT 1 FROM actions WHERE id = $1 FOR UPDATE', [
      `${gone.id}2500`,
    ]);
    expect((await backend.delete(`/v1/users/${gone.id}?permanent=true&tenant_id=${tenant_id}`)).status).toBe(200);
    await oldest.waitForBlocked(1);
    expect(await theirs()).toBe(500);
    await oldest.release();
    await until(async () => (await theirs()) === 0);
    expect(
      await query('SELECT DISTINCT user_id, error, app_id FROM actions WHERE tenant_id = $1', [tenant_id]),
    ).toEqual([{ user_id: null, error: null, app_id: 'notes' }]);
  });
});

describe('how much an app is used', () => {
  async function usedApp(changes: object = {}) {
    const developer_id = await createDeveloper(gateway);
    const app = await createApp(gateway, { developer_id, tools: TOOLS, ...changes });
    const own = await gateway.signIn(
      (await query<TestUser>('SELECT id, email FROM users WHERE id = $1', [developer_id]))[0] as TestUser,
    );
    const other = await gateway.user();
    await post({ app_id: app.app_id, duration_ms: 100 });
    await post({ app_id: app.app_id, duration_ms: 300, status: 'error' });
    await post({ app_id: app.app_id, tool_name: 'list_notes', user_id: other.id, status: 'completed' });
    const { body: old } = await post({ app_id: app.app_id });
    await query("UPDATE actions SET created_at = now() - interval '31 days' WHERE id = $1", [old.id]);
    return { ...app, own };
  }

  it('its developer sees, and nobody else', async () => {
    const { app_id, own } = await usedApp();
    const { body } = await own.get<ExtensionActionStats>(`/v1/actions/stats/extension/${app_id}`);
    expect(body).toEqual({
      app_id,
      total_actions: 3,
      active_users: 2,
      success_rate: 2 / 3,
      avg_duration_ms: 200,
      since: expect.any(String),
      by_function: [
        { function: 'create_note', total_actions: 2, errors: 1, avg_duration_ms: 200 },
        { function: 'list_notes', total_actions: 1, errors: 0, avg_duration_ms: null },
      ],
    });
    for (const [as, id] of [
      [client, app_id],
      [own, 'no-such-app'],
    ] as const) {
      expect(await as.get(`/v1/actions/stats/extension/${id}`)).toMatchObject({
        status: 403,
        body: { code: 'app.not_yours' },
      });
    }
  });

  it('is told whatever the longest call took', async () => {
    const { app_id, own } = await usedApp();
    const longest = Number.MAX_SAFE_INTEGER;
    for (let calls = 0; calls < 3; calls++)
      expect((await post({ app_id, duration_ms: longest, tokens_used: longest })).status).toBe(200);
    const avg_duration_ms = Math.round((3 * longest + 400) / 5);
    const stats = { total_actions: 6, avg_duration_ms: expect.closeTo(avg_duration_ms, -2) as unknown };
    expect(await own.get(`/v1/actions/stats/extension/${app_id}`)).toMatchObject({ status: 200, body: stats });
    expect(await own.get(`/v1/developer/apps/${app_id}/analytics`)).toMatchObject({ status: 200 });
    expect(await backend.get(`/v1/actions/stats/marketplace/${app_id}`)).toMatchObject({ status: 200, body: stats });
    expect(await client.get('/v1/actions/stats')).toMatchObject({ status: 200, body: { tokens_used: 3 * longest } });
  });

  it('the marketplace sees, an hour late', async () => {
    const { app_id } = await usedApp();
    const path = `/v1/actions/stats/marketplace/${app_id}`;
    const { body } = await backend.get<AppActionStats>(path);
    expect(body).toMatchObject({
      app_id,
      total_actions: 3,
      active_users: 2,
      success_rate: 2 / 3,
      avg_duration_ms: 200,
    });
    await post({ app_id });
    expect((await backend.get(path)).body).toEqual(body);
    const unused = await createApp(gateway);
    expect((await backend.get(`/v1/actions/stats/marketplace/${unused.app_id}`)).body).toMatchObject({
      total_actions: 0,
      success_rate: null,
      avg_duration_ms: null,
    });
    expect((await backend.get('/v1/actions/stats/marketplace/no-such-app')).status).toBe(404);
    expect((await client.get(path)).status).toBe(401);
  });
});

describe('the log of calls', () => {
  const statements = () =>
    query<{ calls: string }>('SELECT count(DISTINCT xmin::text)::text AS calls FROM actions WHERE user_id = $1', [
      user.id,
    ]);

  it('writes what comes at once with one statement', async () => {
    const log = gateway.service.app.get(ActionLogService);
    await Promise.all(Array.from({ length: 300 }, () => log.record(made())));
    expect((await list()).total).toBe(300);
    expect((await statements())[0]?.calls).toBe('1');
  });

  it('has the id that the charge of a call names, and what was charged', async () => {
    const id = newId('act');
    await gateway.service.app.get(ActionLogService).record(made({ id, actionPrice: 12, extensionPrice: 10 }));
    expect((await list()).items).toMatchObject([
      { id, trace_id: id, action_price: 12, extension_price: 10, platform_fee: 0 },
    ]);
    expect((await client.get<ActionStatsResponse>('/v1/actions/stats')).body).toMatchObject({ credits: 12 });
  });

  it('holds what no database can, without that', async () => {
    const log = gateway.service.app.get(ActionLogService);
    await Promise.all([
      log.record(made()),
      log.record(made({ error: 'a\0b\ud800c', status: 'error' })),
      log.record(made()),
    ]);
    expect((await list('?status=error')).items).toMatchObject([{ error: 'abc' }]);
    expect((await list()).total).toBe(3);
  });

  it('lets the call be answered when it cannot be written', async () => {
    const log = gateway.service.app.get(ActionLogService);
    const before = gateway.service.logLines.length;
    const { app } = gateway.service;
    await app.get(DataSource).query('ALTER TABLE actions RENAME TO actions_away');
    await log.record(made());
    await app.get(DataSource).query('ALTER TABLE actions_away RENAME TO actions');
    expect(gateway.service.logLines.slice(before).join()).toContain('calls could not be recorded');
    await log.record(made());
    expect((await list()).total).toBe(1);
  });
});
