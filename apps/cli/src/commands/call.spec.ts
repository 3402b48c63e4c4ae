import { run } from '../run.js';
import { FakePlatform } from '../testing/fake-platform.js';

let platform: FakePlatform;
beforeAll(async () => (platform = await FakePlatform.start()));
beforeEach(() => platform.reset());
afterEach(() => jest.restoreAllMocks());
afterAll(() => platform.stop());

const REFUSED = {
  detail: 'This costs 30 credits by now. POST it.',
  code: 'extension.price_not_agreed',
  request_id: 'req_1',
};
const PRICES = { price: 30, agreed_price: 20, price_version: 2 };
const MESSAGE = 'This costs 30 credits by now. POST it. Agree with `platform installs consent notes`.';

describe('platform call', () => {
  it('names the command that agrees to another price', async () => {
    platform.answer = () => [409, { ...REFUSED, ...PRICES }];
    expect(await platform.run('call', 'notes', 'add_note')).toEqual({ message: MESSAGE, exitCode: 1 });
  });

  it('tells a program what the price is', async () => {
    platform.answer = () => [409, { ...REFUSED, ...PRICES }];
    expect(await run(['--url', platform.url, '--json', 'call', 'notes', 'add_note'])).toBe(1);
    expect(JSON.parse(platform.noted)).toEqual({
      error: { code: REFUSED.code, message: MESSAGE, exit_code: 1, status: 409, request_id: 'req_1', ...PRICES },
    });
  });

  it('tells a program what the balance is', async () => {
    platform.answer = () => [
      402,
      { detail: 'Too little.', code: 'wallet.insufficient', request_id: 'req_1', price: 30, balance: 5 },
    ];
    expect(await run(['--url', platform.url, '--json', 'call', 'notes', 'add_note'])).toBe(1);
    expect(JSON.parse(platform.noted)).toMatchObject({
      error: { code: 'wallet.insufficient', message: 'Too little.', price: 30, balance: 5 },
    });
  });

  it.each([
    ['PRICE_NOT_AGREED', 'No. (PRICE_NOT_AGREED) `platform installs --waiting` lists the app.'],
    [
      'SPENDING_LIMIT_REACHED',
      expect.stringContaining('`platform wallet limits --unattended <credits>` or `--other-apps <credits>`'),
    ],
    ['NOT_FOUND', 'No. (NOT_FOUND)'],
  ])('names what helps against what the app got for an answer: %s', async (error_code, message) => {
    platform.answer = () => [
      200,
      { status: 'error', error: 'No.', error_code, retryable: false, data: { price: 30 }, summary: null, ui: null },
    ];
    expect(await platform.run('call', 'notes', 'add_note')).toEqual({ message, exitCode: 1 });
  });
});
