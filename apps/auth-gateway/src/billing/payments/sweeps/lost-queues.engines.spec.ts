import type { CheckoutResponse, TopUpResponse } from '@platform/contracts';
import { JobsService, QueueEngine, SCHEDULE_CHECKS } from '@platform/messaging';
import { deleteQueueData, until } from '@platform/testing';
import { GatewayWithPayments } from '../../../testing/gateway-with-payments.js';
import { RenewalsWorker } from '../../subscriptions/renewals.worker.js';

const { everyMs } = SCHEDULE_CHECKS;
let test: GatewayWithPayments;
beforeAll(async () => {
  SCHEDULE_CHECKS.everyMs = 100;
  test = await GatewayWithPayments.start({ WORKERS: 'inline' });
});
afterAll(async () => {
  SCHEDULE_CHECKS.everyMs = everyMs;
  await test.gateway.service.stop({ mayLoseJobs: true });
  await test.gateway.smtp.stop();
  await test.stripe.stop();
});

const lose = () => deleteQueueData(test.gateway.service, test.gateway.service.app.get(QueueEngine));
/** Hands lost jobs over again, as the relay does after half a minute. */
const settled = async () => {
  const { service } = test.gateway;
  await test.stripe.webhooks.waitUntilSettled();
  await until(async () => {
    await service.query(
      "UPDATE outbox SET dispatched_at = dispatched_at - interval '1 minute' WHERE queue = 'payments'",
    );
    await service.app.get(JobsService).requeueLostJobs();
    return (await service.query('SELECT FROM inbound_events WHERE handled_at IS NULL')).length === 0;
  });
};

it('fault 21: queues that lose everything midway lose no top-up and no renewal, and none comes twice', async () => {
  await test.setTime('2031-01-31T12:00:00Z');
  const users = await Promise.all(Array.from({ length: 6 }, () => test.gateway.user()));
  const userIds = users.map(({ id }) => id);
  const buy = async (path: string, body: object, userId: string) => {
    const answer = await test.gateway
      .actingFor(userId)
      .post<TopUpResponse & CheckoutResponse>(`/v1/billing/${path}`, body);
    expect(answer.status).toBe(200);
    expect(await test.pay(answer.body.payment_intent_id, answer.body.client_secret)).toBe('succeeded');
  };
  // Empties the queues while the events of each payment are handled.
  for (const userId of userIds) {
    await Promise.all([buy('topup', { tokens: 10_000, price_cents: 1_000 }, userId), lose()]);
    await Promise.all([buy('checkout', { plan_id: 'pro' }, userId), lose()]);
    await lose();
  }
  await settled();
  await test.setTime('2031-02-28T12:01:00Z');
  await Promise.all([test.gateway.service.app.get(RenewalsWorker).renewDueSubscriptions(), lose(), lose()]);
  await settled();
  await until(
    async () =>
      (await test.gateway.service.query("SELECT FROM payments WHERE purpose = 'renewal' AND status = 'succeeded'"))
        .length === users.length,
  );
  const sums = await test.gateway.service.query(
    `SELECT count(*) FILTER (WHERE e.kind = 'topup')::int AS topups, coalesce(sum(e.amount) FILTER (WHERE e.kind = 'topup'), 0)::int AS bought,
       count(DISTINCT split_part(e.idem_key, ':gift', 1)) FILTER (WHERE e.kind = 'subscription_grant' AND e.idem_key LIKE 'grant:%')::int AS months
     FROM ledger_entries e JOIN wallets w ON w.id = e.wallet_id WHERE w.user_id = ANY ($1)
       AND (e.kind = 'topup' OR e.ref IN (SELECT id FROM subscriptions WHERE plan_id = 'pro')) GROUP BY w.user_id`,
    [userIds],
  );
  expect(sums).toEqual(users.map(() => ({ topups: 1, bought: 10_000, months: 2 })));
  const charges = test.stripe.state.list('charge').filter(({ paid }) => paid);
  expect(charges).toHaveLength(3 * users.length);
});
