import { until } from '@platform/testing';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../run.js';
import { FakePlatform, type Answer } from '../testing/fake-platform.js';
import { POLLING } from '../panel/wait-for.js';

let platform: FakePlatform;
/** Answers by request line. Each list is used in order, and its last answer repeats. */
let answers: Record<string, Answer[]>;
beforeAll(async () => (platform = await FakePlatform.start()));
beforeEach(() => {
  jest.replaceProperty(POLLING, 'everyMs', 1);
  platform.reset();
  platform.signIn();
  answers = {
    'GET /': [[200, { panel: 'https://panel.example.com/', docs: 'https://platform.example.com/docs' }]],
    'GET /v1/billing/topup-config': [[200, OFFER]],
    'GET /v1/billing/plans': [[200, PLANS]],
    'GET /v1/billing/wallet': [[200, { balance: 11_000 }]],
  };
  platform.answer = ({ line }) => {
    const [path = ''] = line.split('?');
    const all = answers[path] ?? [];
    return (all.length > 1 ? all.shift() : all[0]) ?? [404, { detail: `Nothing answers ${line}.`, code: 'not_found' }];
  };
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => platform.stop());

const AT = '2026-11-25T10:00:00.000Z';
const OFFER = {
  tiers: [{ tokens: 5_000, price_cents: 500, label: '5,000 credits' }],
  custom_min_cents: 50,
  custom_max_cents: 100_000,
  token_rate: 10,
};
const PLAN = { name: 'Pro', interval: 'month', included_tokens: 30_000 };
const PLANS = [
  { ...PLAN, id: 'free', price: 0 },
  { ...PLAN, id: 'pro', price: 29 },
  { ...PLAN, id: 'enterprise', price: 0 },
];
const payment = (id: string, status: string, changes: object = {}) => ({
  payment_intent_id: id,
  amount_cents: 1_000,
  currency: 'usd',
  tokens: 10_000,
  status,
  purpose: 'topup',
  plan: null,
  refunded_cents: 0,
  failure_reason: null,
  created_at: AT,
  receipt_url: 'https://receipts.example.com/1',
  ...changes,
});
const subscription = (changes: object = {}) => ({
  plan: 'pro',
  status: 'active',
  billing_mode: 'card',
  cancel_at_period_end: false,
  pending_plan: null,
  period_ends_at: AT,
  ...changes,
});
const lines = () => platform.asked.map(({ line }) => line);
const movedMoney = () => lines().filter((line) => !line.startsWith('GET ') && !line.endsWith('/preview'));
const wallet = 'https://panel.example.com/wallet';

describe('platform topup', () => {
  it('shows prices', async () => {
    expect(await platform.run('topup')).toBeNull();
    expect(platform.printed).toMatch(/^5000 +\$5\.00$/m);
    expect(platform.printed).toContain('Or pay any amount from $0.50 to $1,000.00: `platform topup <dollars>`.');
  });

  it.each([
    [['10'], 10_000],
    [['$10'], 10_000],
    [['10.00'], 10_000],
    [['--credits', '10000'], 10_000],
    [['0.50'], 500],
  ])('%j is %i credits, which are paid in the panel', async (amount, credits) => {
    expect(await platform.run('topup', ...amount)).toBeNull();
    const price = credits === 500 ? '$0.50' : '$10.00';
    expect(platform.printed).toBe(
      `${credits} credits cost ${price}. Continue here:\n\n  ${wallet}?credits=${credits}\n`,
    );
    expect(movedMoney()).toEqual([]);
  });

  it('says so to programs', async () => {
    expect(await platform.run('topup', '10', '--json')).toBeNull();
    expect(JSON.parse(platform.printed)).toEqual({
      credits: 10_000,
      price_cents: 1_000,
      currency: 'usd',
      url: `${wallet}?credits=10000`,
      opened: false,
    });
  });

  it('waits until it is paid, whatever was paid before and whatever fails on the way', async () => {
    const old = payment('pi_old', 'succeeded');
    const auto = payment('pi_auto', 'succeeded', { purpose: 'auto_topup' });
    answers['GET /v1/billing/payments'] = [
      [200, [old]],
      [200, [auto, old]],
      [503, { detail: 'Try again.', code: 'unavailable' }],
      [200, [payment('pi_1', 'pending'), old]],
      [200, [payment('pi_2', 'pending'), payment('pi_1', 'failed'), old]],
      [200, [payment('pi_2', 'succeeded', { tokens: 20_000, amount_cents: 2_000 }), old]],
    ];
    expect(await platform.run('topup', '10', '--wait')).toBeNull();
    expect(platform.printed).toContain(`${wallet}?credits=10000`);
    expect(platform.printed).toMatch(
      /You have bought 20000 credits for \$20\.00\. You have 11000 credits available\.\n$/,
    );
    expect(platform.noted).toContain('Try again.');
    expect(movedMoney()).toEqual([]);
  });

  it('a payment that was under way before is what is waited for, too', async () => {
    answers['GET /v1/billing/payments'] = [
      [200, [payment('pi_1', 'pending')]],
      [200, [payment('pi_1', 'succeeded')]],
    ];
    expect(await platform.run('topup', '10', '--wait', '--json')).toBeNull();
    expect(JSON.parse(platform.printed)).toMatchObject({
      credits: 10_000,
      payment: { payment_intent_id: 'pi_1' },
      balance: 11_000,
    });
  });

  it('refuses what is not sold, and asks nothing for it', async () => {
    expect(await platform.run('topup', '0.49')).toEqual({
      message: 'A top-up must cost from $0.50 to $1,000.00.',
      exitCode: 1,
    });
    expect(await platform.run('topup', '1000.01')).toMatchObject({ exitCode: 1 });
    expect(await platform.run('topup', '--credits', '10005')).toEqual({
      message: 'Credits are sold in multiples of 10.',
      exitCode: 1,
    });
    expect(await platform.run('topup', '10', '--credits', '10000')).toEqual({
      message: 'Pass either dollars or --credits, not both.',
      exitCode: 2,
    });
    for (const bad of ['ten', '1e3', '10.5', '-1', '']) {
      platform.noted = '';
      expect(await platform.run('topup', '--', bad)).not.toBeNull();
      expect(platform.noted).toContain('It must be an amount in dollars, such as 10 or 10.50; at least 0.50.');
    }
    expect(new Set(lines())).toEqual(new Set(['GET /v1/billing/topup-config']));
  });

  it('says why as JSON', async () => {
    expect(await run(['--url', platform.url, 'topup', '0.49', '--json'])).toBe(1);
    const error = {
      code: 'topup.out_of_range',
      message: 'A top-up must cost from $0.50 to $1,000.00.',
      exit_code: 1,
      min_cents: 50,
      max_cents: 100_000,
    };
    expect(JSON.parse(platform.noted)).toEqual({ error });
    expect(platform.printed).toBe('');
  });

  it('opens the page', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'platform-topup-'));
    const opened = join(folder, 'opened');
    writeFileSync(
      join(folder, 'browser'),
      `#!/bin/sh\nprintf '%s' "$1" > '${opened}.part' && mv '${opened}.part' '${opened}'\n`,
      {
        mode: 0o755,
      },
    );
    process.env['BROWSER'] = join(folder, 'browser');
    try {
      expect(await platform.run('topup', '10', '--open', '--json')).toBeNull();
      await until(() => existsSync(opened));
      expect(readFileSync(opened, 'utf8')).toBe(`${wallet}?credits=10000`);
      expect(JSON.parse(platform.printed)).toMatchObject({ opened: true });
    } finally {
      delete process.env['BROWSER'];
      rmSync(folder, { recursive: true });
    }
  });
});

describe('platform subscription', () => {
  const page = 'https://panel.example.com/subscription';
  const SUBSCRIPTION = 'GET /v1/billing/subscription';
  const PREVIEW = 'POST /v1/billing/change-plan/preview';

  it.each([
    [{}, /^Your plan is pro, paid until 2026-11-25 /],
    [{ cancel_at_period_end: true }, /^Your plan is pro\. It ends on 2026-11-25 /],
    [{ pending_plan: 'starter' }, /^Your plan is pro\. It changes to starter on 2026-11-25 /],
    [
      { status: 'past_due' },
      /^Your plan is pro\. Its next period is not paid\. Pay it with `platform subscription renew`\.$/m,
    ],
    [{ plan: 'free', billing_mode: 'free' }, /^Your plan is free\. Its credits and limits are per month/],
    [{ plan: 'enterprise', billing_mode: 'manual' }, /^Your plan is enterprise, by contract\.$/m],
  ])('of %j says what it is', async (changes, told) => {
    answers[SUBSCRIPTION] = [[200, subscription(changes)]];
    expect(await platform.run('subscription')).toBeNull();
    expect(platform.printed).toMatch(told);
  });

  it('shows what a change costs', async () => {
    const up = { action: 'upgrade', plan: 'business', amount_cents: 3_499, tokens: 40_000, effective_at: AT };
    answers[PREVIEW] = [
      [200, up],
      [200, { ...up, amount_cents: 0 }],
      [200, { ...up, action: 'downgrade', plan: 'starter' }],
    ];
    const told = [
      'costs $34.99 now, for the rest of the period, and includes 40000 credits.',
      'has no extra cost',
      'would begin on 2026-11-25',
    ];
    for (const each of told) {
      platform.printed = '';
      expect(await platform.run('subscription', 'preview', 'business')).toBeNull();
      expect(platform.printed).toContain(each);
    }
    expect(platform.asked[0]).toMatchObject({ line: PREVIEW, body: { plan_id: 'business', period: 'monthly' } });
  });

  it('changes a plan in the panel, and waits for it', async () => {
    answers[PREVIEW] = [
      [200, { action: 'upgrade', plan: 'business', amount_cents: 3_499, tokens: 40_000, effective_at: AT }],
    ];
    answers[SUBSCRIPTION] = [
      [200, subscription()],
      [200, subscription({ plan: 'business' })],
    ];
    expect(await platform.run('subscription', 'change', 'business', '--wait')).toBeNull();
    expect(platform.printed).toContain(`${page}?plan=business`);
    expect(platform.printed).toMatch(/Your plan is business, paid until .*\n$/);
    answers[PREVIEW] = [[200, { action: 'downgrade', plan: 'starter', amount_cents: 0, tokens: 0, effective_at: AT }]];
    answers[SUBSCRIPTION] = [
      [200, subscription()],
      [200, subscription({ pending_plan: 'starter' })],
    ];
    platform.printed = '';
    expect(await platform.run('subscription', 'change', 'starter', '--wait')).toBeNull();
    expect(platform.printed).toMatch(/Your plan is pro\. It changes to starter on .*\n$/);
    expect(movedMoney()).toEqual([]);
  });

  it('takes one in the panel, which has to be sold', async () => {
    answers[SUBSCRIPTION] = [
      [200, subscription({ plan: 'free', billing_mode: 'free' })],
      [200, subscription()],
    ];
    expect(await platform.run('subscription', 'checkout', 'pro', '--wait', '--json')).toBeNull();
    expect(JSON.parse(platform.printed)).toMatchObject({
      plan: 'pro',
      price: 29,
      url: `${page}?plan=pro`,
      subscription: { plan: 'pro' },
    });
    const refused = async (plan: string, message: string) =>
      expect(await platform.run('subscription', 'checkout', plan)).toEqual({ message, exitCode: 1 });
    await refused('free', 'The free plan costs nothing. You return to it when a paid plan ends.');
    await refused('enterprise', 'This plan is available only by contract.');
    await refused('nothing', 'This plan does not exist. Run `platform plans` for a list.');
    answers[SUBSCRIPTION] = [[200, subscription()]];
    await refused('pro', 'You already have this plan.');
    answers[SUBSCRIPTION] = [[200, subscription({ plan: 'business' })]];
    await refused('pro', 'You already have a paid plan. Change it with `platform subscription change pro` instead.');
    expect(movedMoney()).toEqual([]);
  });

  it.each([
    ['cancel', [{}, { cancel_at_period_end: true }], /It ends on/],
    ['resume', [{ cancel_at_period_end: true }, { cancel_at_period_end: true }, {}], /paid until/],
    ['resume', [{ pending_plan: 'starter' }, { pending_plan: 'starter' }, {}], /paid until/],
    ['renew', [{ expires_at: AT, period_starts_at: AT }, { expires_at: AT, period_starts_at: AT }, {}], /paid until/],
    [
      'renew',
      [{ status: 'past_due' }, { status: 'past_due' }, { period_ends_at: '2026-12-25T10:00:00.000Z' }],
      /paid until 2026-12-25/,
    ],
  ])('%s is done in the panel, and waited for', async (name, states, told) => {
    answers[SUBSCRIPTION] = states.map((changes): Answer => [200, subscription(changes)]);
    expect(await platform.run('subscription', name, '--wait')).toBeNull();
    expect(platform.printed).toContain(`  ${page}\n`);
    expect(platform.printed).toMatch(told);
    expect(movedMoney()).toEqual([]);
  });

  it.each([
    ['resume', 'Your plan continues unchanged: there is nothing to undo.'],
    ['renew', expect.stringMatching(/^Your plan is paid until .+\. There is nothing to pay now\.$/)],
  ])('%s is refused where there is nothing to do', async (name, message) => {
    answers[SUBSCRIPTION] = [[200, subscription()]];
    expect(await platform.run('subscription', name)).toEqual({ message, exitCode: 1 });
  });

  it('says that a new period is not paid yet', async () => {
    answers[SUBSCRIPTION] = [[200, subscription({ expires_at: AT, period_starts_at: AT })]];
    expect(await platform.run('subscription')).toBeNull();
    expect(platform.printed).toMatch(/^Your plan is pro\. A new period has begun and will be paid within the hour/);
    answers[SUBSCRIPTION] = [[200, subscription({ expires_at: AT, period_starts_at: AT, cancel_at_period_end: true })]];
    platform.printed = '';
    expect(await platform.run('subscription')).toBeNull();
    expect(platform.printed).toMatch(/^Your plan is pro\. It ends on /);
  });

  it.each(['cancel', 'resume'])('%s needs a plan that is paid', async (name) => {
    answers[SUBSCRIPTION] = [[200, subscription({ plan: 'free', billing_mode: 'free' })]];
    expect(await platform.run('subscription', name)).toMatchObject({
      message: expect.stringContaining('You have no paid plan'),
      exitCode: 1,
    });
  });

  it('previews with a login alone', async () => {
    process.env['PLATFORM_API_KEY'] = 'cp_live_of_the_test';
    try {
      expect(await platform.run('subscription', 'preview', 'pro')).toMatchObject({ exitCode: 2 });
      expect(lines()).toEqual([]);
    } finally {
      delete process.env['PLATFORM_API_KEY'];
    }
  });
});

it('platform payments lists them', async () => {
  const declined = payment('pi_2', 'failed', {
    failure_reason: 'Your card was declined.\u001b[2J',
    purpose: 'renewal',
    plan: 'pro',
  });
  const partly = payment('pi_3', 'succeeded', { refunded_cents: 500 });
  answers['GET /v1/billing/payments'] = [
    [200, [declined, partly, payment('pi_1', 'refunded', { refunded_cents: 1_000 })]],
    [200, []],
  ];
  expect(await platform.run('payments', '--limit', '3', '--offset', '1')).toBeNull();
  expect(lines()).toEqual(['GET /v1/billing/payments?limit=3&offset=1']);
  expect(platform.printed).toMatch(/ \$10\.00 +failed +renewal +pro +Your card was declined\.\[2J$/m);
  expect(platform.printed).toMatch(/ \$10\.00 +succeeded +topup +10000 credits +\$5\.00 was refunded$/m);
  expect(platform.printed).toMatch(/ \$10\.00 +refunded +topup +10000 credits +https:\/\/receipts\.example\.com\/1$/m);
  platform.printed = '';
  expect(await platform.run('payments')).toBeNull();
  expect(platform.printed).toBe('You have no payments.\n');
});

describe('platform invoices', () => {
  const invoice = {
    id: 'inv_1',
    number: '2026-000017',
    kind: 'invoice',
    credited_invoice_number: null,
    seller: 'Platform Ltd\nLondon',
    buyer: { name: null, company: 'Engines Ltd', vat: 'GB1', country: 'GB', email: 'ada@example.com' },
    lines: [{ description: '10,000 credits', quantity: 1, unit_cents: 1_000, amount_cents: 1_000 }],
    tax_cents: 0,
    total_cents: 1_000,
    currency: 'usd',
    issued_at: AT,
  };
  const note = {
    ...invoice,
    id: 'inv_2',
    number: '2026-000018',
    kind: 'credit_note',
    credited_invoice_number: '2026-000017',
  };

  it('lists them', async () => {
    answers['GET /v1/billing/invoices'] = [
      [200, [note, invoice]],
      [200, []],
    ];
    expect(await platform.run('invoices', 'list', '--limit', '2')).toBeNull();
    expect(lines()).toEqual(['GET /v1/billing/invoices?limit=2']);
    expect(platform.printed).toMatch(/^inv_2 +2026-000018 +credit note +2026-11-25 .* \$10\.00 +10,000 credits$/m);
    platform.printed = '';
    expect(await platform.run('invoices')).toBeNull();
    expect(platform.printed).toBe('You have no invoices.\n');
  });

  it('shows one, in words or as a page', async () => {
    answers['GET /v1/billing/invoices/inv_1'] = [[200, invoice]];
    answers['GET /v1/billing/invoices/inv_2'] = [[200, note]];
    answers['GET /v1/billing/invoices/inv_1/html'] = [[200, '<!doctype html>']];
    expect(await platform.run('invoices', 'show', 'inv_1')).toBeNull();
    expect(platform.printed).toMatch(
      /^Invoice 2026-000017, 2026-11-25 .*\nFrom {2}Platform Ltd, London\nTo {4}Engines Ltd, ada@example\.com, GB1, GB\n/,
    );
    expect(platform.printed).toMatch(/^10,000 credits +1 +\$10\.00 +\$10\.00\nTax \$0\.00\. Paid: \$10\.00\.\n$/m);
    platform.printed = '';
    expect(await platform.run('invoices', 'show', 'inv_2')).toBeNull();
    expect(platform.printed).toMatch(/^Credit note 2026-000018, for invoice 2026-000017, .*Refunded: \$10\.00\.\n$/s);
    platform.printed = '';
    expect(await platform.run('invoices', 'show', 'inv_1', '--html')).toBeNull();
    expect(platform.printed).toBe('"<!doctype html>"\n'); // the fake only answers JSON
    expect(await platform.run('invoices', 'show', 'inv_9')).toMatchObject({ exitCode: 1 });
  });

  it('opens the page of the panel', async () => {
    process.env['BROWSER'] = 'true'; // does nothing
    try {
      expect(await platform.run('invoices', 'open')).toBeNull();
      expect(platform.printed).toBe('https://panel.example.com/payments\n');
      platform.printed = '';
      expect(await platform.run('invoices', 'open', 'inv_1/..')).toBeNull();
      expect(platform.printed).toBe('https://panel.example.com/payments/invoices/inv_1%2F..\n');
    } finally {
      delete process.env['BROWSER'];
    }
  });
});
