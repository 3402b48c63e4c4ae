import { Quotas, type RateLimitPolicy } from '@platform/guards';
import { GatewayWithPayments } from '../../testing/gateway-with-payments.js';
import { CONSENT_LIMIT, PAYMENT_LIMITS } from './payments.limits.js';

let payments: GatewayWithPayments;
let userId: string;
beforeAll(async () => {
  payments = await GatewayWithPayments.start({ RATE_LIMIT_SCALE: '1' });
});
beforeEach(async () => {
  ({ id: userId } = await payments.gateway.user());
});
afterAll(() => payments.stop());

const take = (policy: RateLimitPolicy, count: number) => payments.gateway.service.app.get(Quotas).take(policy, userId, count);
const setUpCard = () => payments.gateway.actingFor(userId).post('/v1/billing/payment-methods/setup');
const noAutoTopUp = () => payments.gateway.actingFor(userId).put('/v1/billing/auto-topup', { enabled: false });
const LIMITED = { status: 429, body: { code: 'rate_limited' } };

it.each(PAYMENT_LIMITS)('what pays or changes cards is refused beyond $quota in $windowSeconds s', async (policy) => {
  await take(policy, policy.quota - 1);
  expect((await setUpCard()).status).toBe(200);
  const refused = await setUpCard();
  expect(refused).toMatchObject(LIMITED);
  const seconds = Number(refused.headers.get('retry-after'));
  expect([seconds > 0, seconds <= Math.ceil(policy.windowSeconds / policy.quota)]).toEqual([true, true]);
});

it('automatic top-ups may be changed a few times a day, since each consent is kept; other routes go on', async () => {
  await take(CONSENT_LIMIT, CONSENT_LIMIT.quota - 1);
  expect((await noAutoTopUp()).status).toBe(200);
  expect(await noAutoTopUp()).toMatchObject(LIMITED);
  expect((await setUpCard()).status).toBe(200);
});
