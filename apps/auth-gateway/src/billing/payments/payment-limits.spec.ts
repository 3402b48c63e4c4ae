import { QuotasService, type RateLimitPolicy } from '@platform/guards';
import { GatewayWithPayments } from '../../testing/gateway-with-payments.js';
import { CARD_SETUP_LIMIT, CONSENT_LIMIT, ENDING_LIMITS, PAYMENT_LIMITS } from './payments.limits.js';

let payments: GatewayWithPayments;
let userId: string;
beforeAll(async () => {
  payments = await GatewayWithPayments.start({ RATE_LIMIT_SCALE: '1' });
});
beforeEach(async () => {
  ({ id: userId } = await payments.gateway.user());
});
afterAll(() => payments.stop());

const take = (policy: RateLimitPolicy, count: number) =>
  payments.gateway.service.app.get(QuotasService).consume(policy, userId, count);
const acting = () => payments.gateway.actingFor(userId);
const setUpCard = () => acting().post('/v1/billing/payment-methods/setup');
const autoTopUp = (enabled: boolean) => acting().put('/v1/billing/auto-topup', { enabled });
const LIMITED = { status: 429, body: { code: 'rate_limited' } };

it.each([...PAYMENT_LIMITS, CARD_SETUP_LIMIT])('$name: refused beyond $quota in $windowSeconds s', async (policy) => {
  await take(policy, policy.quota - 1);
  expect((await setUpCard()).status).toBe(200);
  const refused = await setUpCard();
  expect(refused).toMatchObject(LIMITED);
  const seconds = Number(refused.headers.get('retry-after'));
  expect([seconds > 0, seconds <= Math.ceil(policy.windowSeconds / policy.quota)]).toEqual([true, true]);
});

it('who has begun too many payments may still end what pays', async () => {
  for (const policy of PAYMENT_LIMITS) await take(policy, policy.quota);
  expect(await setUpCard()).toMatchObject(LIMITED);
  expect((await autoTopUp(false)).status).toBe(200);
  expect((await acting().delete('/v1/billing/payment-methods/pm_none')).status).toBe(404);
  for (const policy of ENDING_LIMITS) await take(policy, policy.quota - 2);
  expect(await autoTopUp(false)).toMatchObject(LIMITED);
});

it('automatic top-ups may be enabled a few times a day, since each consent is kept, and be ended at any time', async () => {
  await take(CONSENT_LIMIT, CONSENT_LIMIT.quota - 1);
  expect((await autoTopUp(true)).status).toBe(402); // without a card
  expect(await autoTopUp(true)).toMatchObject(LIMITED);
  expect((await autoTopUp(false)).status).toBe(200);
});
