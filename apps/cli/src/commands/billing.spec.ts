import { FakePlatform, type Answer, type Asked } from '../testing/fake-platform.js';

let platform: FakePlatform;
beforeAll(async () => (platform = await FakePlatform.start()));
beforeEach(() => {
  platform.reset();
  platform.signIn();
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => platform.stop());

const lines = () => platform.asked.map(({ line }) => line);
const AT = '2026-11-25T10:00:00.000Z';
/** Answers the request for the panel's address, and all other requests with `answer`. */
const withPanel =
  (answer: Answer | (() => Answer)) =>
  ({ line }: Asked): Answer => {
    if (line === 'GET /')
      return [200, { panel: 'https://panel.example.com/', docs: 'https://platform.example.com/docs' }];
    return typeof answer === 'function' ? answer() : answer;
  };

describe('platform wallet', () => {
  it('says what can be spent, what is held and what is owed', async () => {
    platform.answer = () => [200, { balance: 1, held: 20, debt: 3, plan: 'free' }];
    expect(await platform.run('wallet')).toBeNull();
    expect(platform.printed).toBe(
      'You have 1 credit available. Your plan is free.\n20 credits more are reserved for running calls.\n' +
        'You owe 3 credits. You cannot spend credits until the debt is paid. New credits pay it first.\n',
    );
    expect(lines()).toEqual(['GET /v1/billing/wallet']);
  });

  it('lists its history', async () => {
    const entry = {
      id: 2,
      created_at: AT,
      amount: -20,
      balance_after: 80,
      reason: 'call_charge',
      app_id: 'notes',
      description: null,
    };
    platform.answer = () => [
      200,
      [entry, { ...entry, id: 1, amount: 100, balance_after: 100, app_id: null, description: 'x\u001b[2J' }],
    ];
    expect(await platform.run('wallet', 'history', '--limit', '2')).toBeNull();
    expect(lines()).toEqual(['GET /v1/billing/wallet/history?limit=2']);
    expect(platform.printed).toMatch(/^2 .* -20 +80 +call_charge +notes$/m);
    expect(platform.printed).toMatch(/^1 .* \+100 +100 +call_charge +- +x\[2J$/m);
  });

  it('shows what may be spent without its owner, and has it changed in the panel', async () => {
    const spending = { other_apps_limit: null, other_apps_spent: 5, unattended_limit: 500, unattended_spent: 0 };
    platform.answer = withPanel([200, spending]);
    expect(await platform.run('wallet', 'limits')).toBeNull();
    expect(platform.printed).toContain('Apps that call other apps: no limit, 5 credits spent this month.');
    expect(platform.printed).toContain('Automations that you created yourself do not count');
    platform.printed = '';
    expect(await platform.run('wallet', 'limits', '--unattended', '500', '--other-apps', 'none')).toBeNull();
    expect(platform.printed).toBe(
      'Change your limits in the panel. Continue here:\n\n  https://panel.example.com/wallet?other_apps_limit=none&unattended_limit=500\n',
    );
    platform.printed = '';
    expect(await platform.run('wallet', 'limits', '--unattended', '500', '--wait')).toBeNull();
    expect(platform.printed).toContain(
      'Schedules, events and webhooks: at most 500 credits a month, 0 credits spent this month.',
    );
    expect(lines().filter((line) => !line.startsWith('GET '))).toEqual([]);
    const asked = lines().length;
    for (const option of ['--unattended', '--other-apps']) {
      for (const bad of ['abc', '-1', '0.5', '1234567890123']) {
        platform.noted = '';
        expect(await platform.run('wallet', 'limits', option, bad)).not.toBeNull();
        expect(platform.noted).toContain(
          `'${option} <credits>' argument '${bad}' is invalid. It must be a whole number, 0 or more, or "none".`,
        );
      }
    }
    expect(platform.asked).toHaveLength(asked);
  });
});

it('platform usage says what is used of the plan', async () => {
  platform.answer = () => [
    200,
    {
      plan: 'free',
      usage: { tool_calls: 500, ai_tokens: 7 },
      limits: { tool_calls: 500 },
      exceeded: ['tool_calls'],
      resets_at: AT,
    },
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
  /**
   * Shows the earnings of a developer of this tier; null: an API key that is not allowed to read
   * the tier.
   */
  const earned = async (earnings: object, tier: string | null) => {
    const profile: Answer = tier === null ? [403, { detail: 'Missing.', code: 'insufficient_scope' }] : [200, { tier }];
    platform.printed = '';
    platform.answer = ({ line }) => (line === 'GET /v1/developer/profile' ? profile : [200, earnings]);
    expect(await platform.run('earnings')).toBeNull();
    return platform.printed;
  };

  it('says what was earned, asked for and left, and what can be paid out', async () => {
    const much = { total_earnings: 33_000, paid_out: 10_000, available: 11_000 };
    const line = 'You earned 33000 credits: 10000 paid out, 12000 requested and not paid yet, 11000 available.\n';
    for (const tier of ['indie', null]) {
      expect(await earned(much, tier)).toBe(`${line}Request a payout with \`platform payouts request <credits>\`.\n`);
    }
    expect(await earned(much, 'explorer')).toBe(
      `${line}Your tier has no payouts. You keep your earnings and can request a payout in a higher tier: PUT /v1/developer/tier.\n`,
    );
    expect(await earned({ ...much, available: 9_999 }, 'indie')).toMatch(
      /\nThe smallest payout is 10000 credits: you cannot request one yet\.\n$/,
    );
    expect(await earned({ total_earnings: 0, paid_out: 0, available: 0 }, 'explorer')).not.toContain('payouts request');
  });

  it('says why an app earned nothing by calls that cost something', async () => {
    platform.answer = () => [200, { total_earnings: 0, action_count: 0, by_period: [] }];
    expect(await platform.run('earnings', 'notes')).toBeNull();
    expect(platform.printed).toBe(
      'notes has earned nothing.\nCalls earn nothing if they are paid with free credits.\n',
    );
    platform.printed = '';
    platform.answer = () => [200, { total_earnings: 0, action_count: 2, by_period: [{ day: '2026-11-25', total: 0 }] }];
    expect(await platform.run('earnings', 'notes')).toBeNull();
    expect(platform.printed).toBe('notes has earned nothing.\nYour shares of 2 calls were below 1 credit.\n');
  });

  it('says what an app earned', async () => {
    platform.answer = () => [
      200,
      { total_earnings: 14, action_count: 1, by_period: [{ day: '2026-11-25', total: 14 }] },
    ];
    expect(await platform.run('earnings', 'notes')).toBeNull();
    expect(lines()).toEqual(['GET /v1/developer/earnings/notes']);
    expect(platform.printed).toBe(
      'notes earned 14 credits from 1 call paid with purchased credits.\nDAY         CREDITS\n2026-11-25  14\n',
    );
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
    platform.answer = () => [
      200,
      [payout, { ...payout, id: 6, status: 'paid', processed_at: AT, reference: 'SEPA 4711' }],
    ];
    expect(await platform.run('payouts')).toBeNull();
    expect(platform.printed).toMatch(/^7 +pending +20000 +\$20\.00 .* - +-$/m);
    expect(platform.printed).toMatch(/^6 +paid .* SEPA 4711$/m);
  });

  it('has one requested in the panel, and waits for it', async () => {
    const list: Answer[] = [
      [200, [{ ...payout, id: 6 }]],
      [200, [{ ...payout, id: 6 }]],
      [200, [payout, { ...payout, id: 6 }]],
    ];
    const page = 'https://panel.example.com/earnings?credits=20000';
    platform.answer = withPanel(() => list.shift() ?? [404, {}]);
    expect(await platform.run('payouts', 'request', '20000')).toBeNull();
    expect(platform.printed).toBe(`Request a payout of 20000 credits. Continue here:\n\n  ${page}\n`);
    platform.printed = '';
    expect(await platform.run('payouts', 'request', '20000', '--wait')).toBeNull();
    expect(platform.printed).toContain(
      'Payout 7 of 20000 credits ($20.00) is waiting for approval by an administrator.\n',
    );
    expect(lines().filter((line) => !line.startsWith('GET '))).toEqual([]);
  });

  it.each(['9990', '10005', '5'])('refuses %s credits, and asks nothing for it', async (amount) => {
    const message = 'A payout must be at least 10000 credits and a multiple of 10.';
    expect(await platform.run('payouts', 'request', amount)).toEqual({ message, exitCode: 1 });
    expect(platform.asked).toEqual([]);
  });
});
