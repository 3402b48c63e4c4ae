import { PaymentSweepService, PaymentStatusService } from '@platform/billing';
import type { WalletResponse } from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { newId } from '@platform/platform';
import { addCrashPoints, CrashingWorker } from '../../../testing/crashing-worker.js';
import { GatewayWithPayments } from '../../../testing/gateway-with-payments.js';
import { UserTopUpsService } from '../topups/user-topups.service.js';

let test: GatewayWithPayments;
beforeAll(async () => {
  test = await GatewayWithPayments.start({ WORKERS: 'inline' });
});
beforeEach(() => {
  test.stripe.webhooks.settings.copies = 1;
});
afterAll(() => test.stop());

const balance = async (userId: string): Promise<number> =>
  (await test.gateway.actingFor(userId).get<WalletResponse>('/v1/billing/wallet')).body.balance;
const intentsOf = (userId: string) =>
  test.stripe.state.list('payment_intent').filter(({ metadata }) => metadata['user_id'] === userId);
const sweep = () =>
  test.gateway.service.app.get(PaymentSweepService).checkDuePayments({ since: new Date(Date.now() + 60_000) });

const REQUEST = { tokens: 10_000, price_cents: 1_000, save_payment_method: false, off_session: true };
const topUp = (userId: string, requestId: string) => {
  const caller: UserCaller = { kind: 'user', userId, tenantId: 'default', role: 'user', scopes: [] };
  return test.gateway.service.app.get(UserTopUpsService).startTopUp(caller, REQUEST, requestId);
};

describe('fault 1: a process that dies when the provider has the money, and before the credits are there', () => {
  /** @param steps number of boundaries of the settlement that are passed. */
  const dieAfter = async (steps: number) => {
    const { id: userId } = await test.gateway.user();
    await test.replaceCard(userId, 'pm_card_visa');
    await test.stopWebhooks(); // no webhooks
    const [requestId, before, worker] = [newId('request'), await balance(userId), new CrashingWorker(steps)];
    expect(await worker.runUntilCrash(() => topUp(userId, requestId))).toBe('crashed');
    expect(intentsOf(userId)).toMatchObject([{ status: 'succeeded' }]);
    // Makes the payments old enough for the sweep: no request can still work on them.
    await test.gateway.service.query(
      "UPDATE payments SET created_at = created_at - interval '1 minute' WHERE user_id = $1",
      [userId],
    );
    return { userId, requestId, before, worker };
  };

  beforeEach(() => addCrashPoints(test.gateway.service.app.get(PaymentStatusService), ['recordIntent']));
  afterEach(() => jest.restoreAllMocks());

  it.each([
    ['before it writes that down', 0],
    ['before it answers', 1],
  ])('%s: the sweep credits it once, and so does the process when it was only slow', async (_when, steps) => {
    const { userId, worker, before } = await dieAfter(steps);
    for (let again = 0; again < 2; again++) await sweep();
    expect(await balance(userId)).toBe(before + 10_000);
    await worker.resume();
    expect(await balance(userId)).toBe(before + 10_000);
    expect(intentsOf(userId)).toHaveLength(1);
  });

  it('the event that was lost meanwhile credits it once', async () => {
    const { userId, before } = await dieAfter(0);
    const [told] = test.stripe.state.list('event').filter(({ type }) => type === 'payment_intent.succeeded');
    test.stripe.webhooks.settings.copies = 3;
    test.stripe.redeliver(told?.id ?? '');
    await test.settled();
    expect(await balance(userId)).toBe(before + 10_000);
  });

  it('the same request again finds that it was paid, and pays nothing', async () => {
    const { userId, requestId, before } = await dieAfter(0);
    expect(await topUp(userId, requestId)).toMatchObject({ succeeded: true });
    expect(await balance(userId)).toBe(before + 10_000);
    expect(intentsOf(userId)).toHaveLength(1);
  });
});
