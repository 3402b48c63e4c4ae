import type { AgencyResponse } from '@platform/contracts';
import { TEST_SERVICE_TOKEN } from '@platform/testing';
import { AgencyTest } from '../../testing/agency-test.js';

let test: AgencyTest;
let path: string;
let id: string;
beforeAll(async () => (test = await AgencyTest.start()));
afterAll(() => test.stop());
beforeEach(async () => {
  id = (await test.create()).agency_id;
  path = `/v1/agencies/${id}/settings`;
});

async function merge(update: object, client = test.admin): Promise<AgencyResponse['settings']> {
  const { status, body } = await client.put<AgencyResponse>(path, update);
  expect(status).toBe(200);
  return body.settings;
}

const stored = async () =>
  (
    await test.gateway.service.query<{ settings: object }>(
      "SELECT settings FROM agencies WHERE tenant_id = 'default' AND agency_id = $1",
      [id],
    )
  )[0]?.settings;
const refusal = (update: unknown) => test.expectInvalid('PUT', path, update);

describe('settings', () => {
  it('are merged: what is not named stays, null removes', async () => {
    const all = {
      logo_url: '/a.svg',
      logo_dark_url: '/b.svg',
      compliance_tier: 'federal',
      retention_days: 3650,
      extra: { a: 1, b: { c: [2] } },
    };
    expect(await merge(all)).toEqual(all);
    expect(await merge({ retention_days: 1 })).toEqual({ ...all, retention_days: 1 });
    expect(await merge({ extra: { d: null, b: { e: null }, a: null } })).toEqual({
      ...all,
      retention_days: 1,
      extra: { b: { e: null } },
    });
    expect(await merge({ compliance_tier: null, logo_url: null })).toEqual({
      logo_dark_url: '/b.svg',
      retention_days: 1,
      extra: { b: { e: null } },
    });
    expect(await merge({})).toEqual(await stored());
  });

  it('show the logo as that of the dark mode where none is set, and store nothing of it', async () => {
    expect(await merge({ logo_url: '/a.svg' })).toEqual({ logo_url: '/a.svg', logo_dark_url: '/a.svg' });
    expect(await stored()).toEqual({ logo_url: '/a.svg' });
    expect(await merge({ logo_url: '/c.svg' })).toEqual({ logo_url: '/c.svg', logo_dark_url: '/c.svg' });
    expect(await merge({ logo_dark_url: '/b.svg' })).toEqual({ logo_url: '/c.svg', logo_dark_url: '/b.svg' });
    expect(await merge({ logo_url: null })).toEqual({ logo_dark_url: '/b.svg' });
  });

  it('keep extra keys as they are, whatever they are called', async () => {
    const extra = {
      'a.b': 1,
      "o'neil": 2,
      '$.x': 3,
      '{a,b}': 4,
      '"': 5,
      'drop table': { $gt: '' },
      '': 7,
      ключ: [null, true, 'x'],
    };
    expect(await merge({ extra })).toEqual({ extra });
    expect(await merge({ extra: { 'a.b': null, '$.x': null } })).toEqual({
      extra: Object.fromEntries(Object.entries(extra).filter(([key]) => key !== 'a.b' && key !== '$.x')),
    });
  });

  it('lose nothing of 50 updates at once, in two processes, and the audit log tells each', async () => {
    const beside = await test.gateway.startSecondProcess();
    const backend = beside.client().withHeaders({ 'X-Service-Token': TEST_SERVICE_TOKEN });
    await merge({ logo_url: '/a.svg', extra: { kept: true, gone: true } });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_value, at) =>
        (at % 2 ? test.admin : backend).put(path, {
          retention_days: at + 1,
          extra: { [`key-${at}`]: at, ...(at === 25 && { gone: null }) },
        }),
      ),
    );
    await beside.stop();
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(50).fill(200));
    const { retention_days, ...others } = (await stored()) as { retention_days: number };
    expect(others).toEqual({
      logo_url: '/a.svg',
      extra: { kept: true, ...Object.fromEntries(Array.from({ length: 50 }, (_value, at) => [`key-${at}`, at])) },
    });
    // Each update starts from the result of another, so the entries form one chain.
    const entries = (await test.auditEntries(id)).filter(({ action }) => action === 'agency.settings_updated').slice(1);
    expect(entries).toHaveLength(50);
    const next = new Map(entries.map(({ before_state, after_state }) => [days(before_state), days(after_state)]));
    let last: number | undefined;
    let steps = 0;
    for (let at = next.get(undefined); at !== undefined; at = next.get(at)) [last, steps] = [at, steps + 1];
    expect([last, steps]).toEqual([retention_days, 50]);
  });

  it('are told of in the audit log: what changed, and of extra keys the names alone', async () => {
    await merge({ logo_url: '/a.svg', extra: { phone: 'unlisted 555-1234', note: 'x' } });
    await merge({ logo_url: '/a.svg', extra: { note: 'x' } });
    await merge({ logo_url: null, retention_days: 7, extra: { phone: null } });
    const entries = (await test.auditEntries(id)).slice(1);
    expect(entries).toMatchObject([
      {
        action: 'agency.settings_updated',
        before_state: {},
        after_state: { logo_url: '/a.svg' },
        metadata: { extra_keys: ['phone', 'note'].sort() },
      },
      { before_state: { logo_url: '/a.svg' }, after_state: { retention_days: 7 }, metadata: { extra_keys: ['phone'] } },
    ]);
    expect(JSON.stringify(entries)).not.toContain('unlisted');
  });

  it('may be written by a trusted backend, for the tenant of whom it acts for', async () => {
    const other = await test.stranger();
    await test.create({ agency_id: id }, other.client);
    expect(await merge({ retention_days: 5 }, test.gateway.backend())).toEqual({ retention_days: 5 });
    expect(await merge({ retention_days: 6 }, test.gateway.actingFor(other.userId))).toEqual({ retention_days: 6 });
    expect(await stored()).toEqual({ retention_days: 5 });
    expect((await test.auditEntries(id)).at(-1)).toMatchObject({
      actor_type: 'service',
      on_behalf_of: other.userId,
      tenant_id: other.tenant,
    });
  });

  it('are those of an agency that exists', async () => {
    await test.expectRefusals(404, 'agency.not_found', () =>
      ['nothing', 'default', 'me', '%27', 'a'.repeat(5_000)].map((unknown) =>
        test.admin.put(`/v1/agencies/${unknown}/settings`, { retention_days: 1 }),
      ),
    );
  });

  it('are 64 KiB at most, each update and all together', async () => {
    const half = 'x'.repeat(40_000);
    await merge({ extra: { first: half } });
    expect(await refusal({ extra: { second: half } })).toMatchObject([{ loc: ['body'], type: 'too_long' }]);
    expect(await refusal({ extra: { second: half + half } })).toMatchObject([
      { loc: ['body', 'extra'], type: 'too_long' },
    ]);
    const body = { agency_id: test.newId(), display_name: 'A', settings: { extra: { second: half + half } } };
    expect(await test.expectInvalid('POST', '/v1/agencies', body)).toMatchObject([
      { loc: ['body', 'settings', 'extra'], type: 'too_long' },
    ]);
    expect(await merge({ extra: { first: null, second: half } })).toEqual({ extra: { second: half } });
  });
});

describe('settings are refused with', () => {
  it.each([
    ['a tier that there is not', { compliance_tier: 'gold' }, ['compliance_tier'], 'literal_error'],
    ['no days', { retention_days: 0 }, ['retention_days'], 'greater_than_equal'],
    ['3651 days', { retention_days: 3651 }, ['retention_days'], 'less_than_equal'],
    ['half a day', { retention_days: 1.5 }, ['retention_days'], 'int_type'],
    ['days as text', { retention_days: '7' }, ['retention_days'], 'int_type'],
    ['a list for extra', { extra: [] }, ['extra'], 'dict_type'],
    ['text for extra', { extra: 'x' }, ['extra'], 'dict_type'],
    ['null for extra, which would lose every key', { extra: null }, ['extra'], 'dict_type'],
    ['an unknown setting', { theme: {} }, ['theme'], 'extra_forbidden'],
    ['a secret beside the extra ones', { api_key: 'x' }, ['api_key'], 'extra_forbidden'],
    ['a logo that is no text', { logo_url: ['/a.svg'] }, ['logo_url'], 'string_type'],
    ['an empty logo', { logo_dark_url: '' }, ['logo_dark_url'], 'value_error'],
    ['a logo of 1025 characters', { logo_url: `/${'x'.repeat(1_024)}` }, ['logo_url'], 'string_too_long'],
    ['NUL in an extra key', { extra: { 'a\u0000': 1 } }, ['extra'], 'value_error'],
  ])('%s', async (_what, update, loc, type) => {
    expect(await refusal(update)).toMatchObject([{ loc: ['body', ...loc], type }]);
  });

  it('a number that JSON has and JavaScript has not', async () => {
    const sent = test.admin.request('PUT', path, undefined, { raw: '{"extra": {"a": [1e999]}}' });
    expect(await sent).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'extra', 'a', 0], type: 'finite_number' }] },
    });
  });

  // Attack line I9
  it.each([
    'javascript:alert(1)',
    ' JaVa\tscript:alert(1)',
    'data:image/svg+xml,<svg/onload=alert(1)>',
    '//evil.example/logo.svg',
    '/\\evil.example',
    '/.//evil.example',
    'https:/evil.example',
    'https:evil.example',
    'https://u@cdn.example.com',
    'https://u:p@cdn.example.com',
    'https://@cdn.example.com',
    'https://93.184.216.34/logo.svg',
    'https://[2606:2800:220:1::1]/logo.svg',
    'https://2130706433/logo.svg',
    'https://0x7f000001/logo.svg',
    'https://127.1/logo.svg',
    'http://cdn.example.com/logo.svg',
    'file:///etc/passwd',
    'ftp://cdn.example.com/logo.svg',
    'blob:https://cdn.example.com/x',
    'logo.svg',
    '/logo\n.svg',
    '/logo"onerror="alert(1)',
    'https://cdn.example.com/</style>',
  ])('the logo %j', async (url) => {
    expect(await refusal({ logo_url: url, logo_dark_url: url })).toMatchObject([
      { loc: ['body', 'logo_url'], type: 'value_error' },
      { loc: ['body', 'logo_dark_url'], type: 'value_error' },
    ]);
  });

  it('a logo of 2049 characters', async () => {
    const url = `https://cdn.example.com/${'x'.repeat(2_025)}`;
    expect(await refusal({ logo_url: url })).toMatchObject([{ loc: ['body', 'logo_url'], type: 'string_too_long' }]);
  });

  // Attack line I10
  it.each([
    ['api_key'],
    ['API-Key'],
    ['\uff41pi\uff2bey'],
    ['nested', 'client_secret'],
    ['nested.client_secret'],
    ['passwd'],
    ['password'],
    ['PassWord2'],
    ['auth_token'],
    ['authToken'],
    ['auth\u200b_to\u200bken'],
    ['a p i k e y'],
    ['private-key'],
    ['AWS_SECRET_ACCESS_KEY'],
    ['session_cookie'],
    ['credentials', 'user'],
    ['list', 3, 'deep', 0, 'pin'],
  ])('the key %j, %j', async (...keys: (string | number)[]) => {
    const extra = keys.reduceRight<unknown>((value, key) => {
      if (typeof key === 'string') return { [key]: value };
      const list: unknown[] = Array<string>(key + 1).fill('x');
      list[key] = value;
      return list;
    }, 'x');
    const loc = keys[0] === 'credentials' ? ['credentials'] : keys;
    expect(await refusal({ extra })).toMatchObject([{ loc: ['body', 'extra', ...loc], type: 'value_error' }]);
  });

  it('a secret even when it would be removed', async () => {
    expect(await refusal({ extra: { password: null } })).toMatchObject([{ loc: ['body', 'extra', 'password'] }]);
  });

  it('not with what only looks like a secret', async () => {
    const extra = { token_symbol: 'ACM', max_tokens: 9, key: 'x', keyboard: 'qwerty', tokens: 1, spin: true };
    expect(await merge({ extra })).toEqual({ extra });
  });

  it('everything at once', async () => {
    const update = {
      logo_url: 'data:x',
      logo_dark_url: 7,
      retention_days: 0,
      compliance_tier: 'x',
      extra: { password: 1, a: { token: 2 } },
      more: 1,
    };
    const issues = await refusal(update);
    expect(issues.map(({ loc }) => loc.slice(1).join('.')).sort()).toEqual([
      'compliance_tier',
      'extra.a.token',
      'extra.password',
      'logo_dark_url',
      'logo_url',
      'more',
      'retention_days',
    ]);
    expect(JSON.stringify(issues)).not.toContain('data:x');
  });
});

const days = (state: object | null) => (state as { retention_days?: number }).retention_days;
