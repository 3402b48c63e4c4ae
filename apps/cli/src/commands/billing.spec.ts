import { PlatformStandIn, type Answer } from '../testing/platform-stand-in.js';

let platform: PlatformStandIn;
beforeAll(async () => (platform = await PlatformStandIn.start()));
beforeEach(() => {
  platform.reset();
  platform.signIn();
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => platform.stop());

const lines = () => platform.asked.map(({ line }) => line);
const AT = '2026-11-25T10:00:00.000Z';

describe('platform wallet', () => {
  it('says what can be spent, what is held and what is owed', async () => {
    platform.answer = () => [200, { balance: 1, held: 20, debt: 3, plan: 'free' }];
    expect(await platform.run('wallet')).toBeNull();
    expect(platform.printed).toBe(
      '1 credit can be spent. Your plan is free.\n20 credits more are promised to calls that are under way.\n' +
        'You owe 3 credits. Nothing can be spent until they are paid; what comes in pays them first.\n',
    );
    expect(lines()).toEqual(['GET /v1/billing/wallet']);
  });

  it('lists its history', async () => {
    const entry = { id: 2, created_at: AT, amount: -20, balance_after: 80, reason: 'call_charge', app_id: 'notes', description: null };
    platform.answer = () => [200, [entry, { ...entry, id: 1, amount: 100, balance_after: 100, app_id: null, description: 'x\u001b[2J' }]];
    expect(await platform.run('wallet', 'history', '--limit', '2')).toBeNull();
    expect(lines()).toEqual(['GET /v1/billing/wallet/history?limit=2']);
    expect(platform.printed).toMatch(/^2 .* -20 +80 +call_charge +notes$/m);
    expect(platform.printed).toMatch(/^1 .* \+100 +100 +call_charge +- +x\[2J$/m);
  });

  it('shows and changes what may be spent without its owner', async () => {
    const spending = { other_apps_limit: null, other_apps_spent: 5, unattended_limit: 500, unattended_spent: 0 };
    platform.answer = () => [200, spending];
    expect(await platform.run('wallet', 'limits', '--unattended', '500', '--other-apps', 'none')).toBeNull();
    expect(platform.asked).toMatchObject([{ line: 'PUT /v1/me/spending', body: { other_apps_limit: null, unattended_limit: 500 } }]);
    expect(platform.printed).toContain('Apps in other apps: no limit, 5 credits spent this month.');
    expect(platform.printed).toContain('Automations that you wrote yourself are not counted');
    expect(await platform.run('wallet', 'limits')).toBeNull();
    expect(lines().at(-1)).toBe('GET /v1/me/spending');
    for (const option of ['--unattended', '--other-apps']) {
      for (const bad of ['abc', '-1', '0.5', '1234567890123']) {
        platform.noted = '';
        expect(await platform.run('wallet', 'limits', option, bad)).not.toBeNull();
        expect(platform.noted).toContain(`'${option} <credits>' argument '${bad}' is invalid. It must be 0 or more, whole, or "none".`);
      }
    }
    expect(platform.asked).toHaveLength(2);
  });
});

it('platform usage says what is used of the plan', async () => {
  platform.answer = () => [
    200,
    { plan: 'free', usage: { tool_calls: 500, ai_tokens: 7 }, limits: { tool_calls: 500 }, exceeded: ['tool_calls'], resets_at: AT },
  ];
  expect(await platform.run('usage')).toBeNull();
  expect(platform.printed).toMatch(/^tool_calls +500 +500 +reached$/m);
  expect(platform.printed).toMatch(/^ai_tokens +7 +no limit$/m);
});

it('platform plans lists them', async () => {
  const plan = { id: 'pro', price: 29, interval: 'month', included_tokens: 30_000, limits: { tool_calls: 20_000 } };
  const free = { ...plan, id: 'free', price: 0, included_tokens: 1_000 };
  platform.answer = () => [200, [free, plan, { ...plan, id: 'enterprise', price: 0, included_tokens: 0, limits: {} }]];
  expect(await platform.run('plans')).toBeNull();
  expect(platform.printed).toMatch(/^free +\$0 a month +1000 /m);
  expect(platform.printed).toMatch(/^pro +\$29 a month +30000 +20000 +no limit$/m);
  expect(platform.printed).toMatch(/^enterprise +by contract +by contract +no limit +no limit$/m);
});

describe('platform earnings', () => {
  /** Of a developer of the tier; null for an API key that may not look. */
  const earned = async (earnings: object, tier: string | null) => {
    const profile: Answer = tier === null ? [403, { detail: 'Missing.', code: 'insufficient_scope' }] : [200, { tier }];
    platform.printed = '';
    platform.answer = ({ line }) => (line === 'GET /v1/developer/profile' ? profile : [200, earnings]);
    expect(await platform.run('earnings')).toBeNull();
    return platform.printed;
  };

  it('says what was earned, asked for and left, and what can be paid out', async () => {
    const much = { total_earnings: 33_000, paid_out: 10_000, available: 11_000 };
    const line = 'You earned 33000 credits: 10000 paid out, 12000 asked for and not paid yet, 11000 left.\n';
    for (const tier of ['indie', null]) {
      expect(await earned(much, tier)).toBe(`${line}What is left can be paid out: \`platform payouts request <credits>\`.\n`);
    }
    expect(await earned(much, 'explorer')).toBe(
      `${line}Your tier has no payouts. What you earned stays yours, and can be paid out in a higher tier: PUT /v1/developer/tier.\n`,
    );
    expect(await earned({ ...much, available: 9_999 }, 'indie')).toMatch(
      /\nThe smallest payout is 10000 credits, so nothing can be paid out yet\.\n$/,
    );
    expect(await earned({ total_earnings: 0, paid_out: 0, available: 0 }, 'explorer')).not.toContain('payouts request');
  });

  it('says why an app earned nothing by calls that cost something', async () => {
    platform.answer = () => [200, { total_earnings: 0, action_count: 0, by_period: [] }];
    expect(await platform.run('earnings', 'notes')).toBeNull();
    expect(platform.printed).toBe('notes has earned nothing.\nCalls paid with credits that nobody paid for earn nothing.\n');
    platform.printed = '';
    platform.answer = () => [200, { total_earnings: 0, action_count: 2, by_period: [{ day: '2026-11-25', total: 0 }] }];
    expect(await platform.run('earnings', 'notes')).toBeNull();
    expect(platform.printed).toBe('notes has earned nothing.\nThe shares of 2 calls were below 1 credit.\n');
  });

  it('says what an app earned', async () => {
    platform.answer = () => [200, { total_earnings: 14, action_count: 1, by_period: [{ day: '2026-11-25', total: 14 }] }];
    expect(await platform.run('earnings', 'notes')).toBeNull();
    expect(lines()).toEqual(['GET /v1/developer/earnings/notes']);
    expect(platform.printed).toBe('notes earned 14 credits by 1 call paid with credits that earn.\nDAY         CREDITS\n2026-11-25  14\n');
  });
});

describe('platform payouts', () => {
  const payout = {
    id: 7,
    status: 'pending',
    amount_tokens: 20_000,
    amount_usd: '20.00',
    requested_at: AT,
    processed_at: null,
    admin_note: null,
  };

  it('lists them', async () => {
    platform.answer = () => [200, [payout, { ...payout, id: 6, status: 'paid', processed_at: AT, reference: 'SEPA 4711' }]];
    expect(await platform.run('payouts')).toBeNull();
    expect(platform.printed).toMatch(/^7 +pending +20000 +\$20\.00 .* - +-$/m);
    expect(platform.printed).toMatch(/^6 +paid .* SEPA 4711$/m);
  });

  it('asks for one', async () => {
    platform.answer = () => [200, payout];
    expect(await platform.run('payouts', 'request', '20000')).toBeNull();
    expect(platform.asked).toMatchObject([{ line: 'POST /v1/developer/payouts/request', body: { amount_tokens: 20_000 } }]);
    expect(platform.printed).toBe('Payout 7 of 20000 credits ($20.00) waits for an administrator.\n');
    expect(await platform.run('payouts', 'request', '0.5')).not.toBeNull();
    platform.answer = () => [400, { detail: 'No more than 11000 credits can be paid out now.', code: 'payout.too_much' }];
    platform.noted = '';
    expect(await platform.run('payouts', 'request', '20000')).toMatchObject({ exitCode: 1 });
    expect(platform.noted).toBe('');
  });

  it('says one reason why it is refused, in the words of the command', async () => {
    const issue = { loc: ['body', 'amount_tokens'], msg: 'Input should be greater than or equal to 10000', type: 'greater_than_equal' };
    const other = { ...issue, msg: 'Input should be a multiple of 10', type: 'multiple_of' };
    platform.answer = () => [422, { detail: [issue, other], code: 'validation_failed' }];
    const message = 'The credits should be greater than or equal to 10000.';
    expect(await platform.run('payouts', 'request', '5')).toEqual({ message, exitCode: 1 });
    const key = {
      loc: ['header', 'idempotency-key'],
      msg: 'Input should be 1 to 255 printable characters of ASCII',
      type: 'string_pattern_mismatch',
    };
    platform.answer = () => [422, { detail: [key], code: 'validation_failed' }];
    const ofKey = 'The key should be 1 to 255 printable characters of ASCII.';
    expect(await platform.run('payouts', 'request', '20000', '--idempotency-key', 'x')).toEqual({ message: ofKey, exitCode: 1 });
  });

  it('says how to ask for the same one again where the answer was lost', async () => {
    platform.answer = () => [503, { detail: 'Try again.', code: 'gateway_unavailable' }];
    expect(await platform.run('payouts', 'request', '20000')).toMatchObject({ exitCode: 1 });
    const key = platform.asked[0]?.key ?? '';
    expect(key).toMatch(/^[\da-f-]{36}$/);
    expect(platform.noted).toContain(`--idempotency-key '${key}'`);
    platform.answer = () => [200, payout, { 'Idempotency-Replayed': 'true' }];
    expect(await platform.run('payouts', 'request', '20000', '--idempotency-key', key)).toBeNull();
    expect(platform.printed).toBe(
      'Payout 7 of 20000 credits ($20.00) was asked for before with this key, so there is no second one. ' +
        '`platform payouts` says what became of it.\n',
    );
    expect(await platform.run('payouts', 'request', '20000')).toBeNull();
    const keys = platform.asked.map((asked) => asked.key);
    expect(keys[1]).toBe(key);
    expect(keys[2]).not.toBe(key);
  });
});
