import type { TopUpResponse, WalletResponse } from '@platform/contracts';
import { RetentionService } from '@platform/persistence';
import { newId } from '@platform/platform';
import { GatewayWithPayments } from '../../../testing/gateway-with-payments.js';
import { PaymentSweepsWorker } from './payment-sweeps.worker.js';

/** Events of the provider after their job has given up. */
let test: GatewayWithPayments;
beforeAll(async () => {
  test = await GatewayWithPayments.start();
  await test.stopWebhooks();
});
afterAll(() => test.stop());

const sweep = () => test.gateway.service.app.get(PaymentSweepsWorker).handleOpenEvents();
const query = <Result>(sql: string, values: unknown[]) => test.gateway.service.query<Result>(sql, values);
const isOpen = async (id: string): Promise<boolean> =>
  (await query('SELECT FROM inbound_events WHERE event_id = $1 AND handled_at IS NULL', [id])).length > 0;
const balance = async (userId: string): Promise<number> =>
  (await test.gateway.actingFor(userId).get<WalletResponse>('/v1/billing/wallet')).body.balance;

/** Stores an event with these ages. Returns its id. */
async function received(
  type: string,
  objectId: string,
  { minutesAgo = 60, triedMinutesAgo = 31 } = {},
): Promise<string> {
  const id = newId('evt');
  await query(
    `INSERT INTO inbound_events (provider, event_id, type, object_id, received_at, checked_at)
     VALUES ('stripe', $1, $2, $3, now() - make_interval(mins => $4), now() - make_interval(mins => $5))`,
    [id, type, objectId, minutesAgo, triedMinutesAgo],
  );
  return id;
}

async function disputedTopup(): Promise<{ userId: string; disputeId: string }> {
  const { id: userId } = await test.gateway.user();
  const acting = test.gateway.actingFor(userId);
  const { body } = await acting.post<TopUpResponse>('/v1/billing/topup', { tokens: 10_000, price_cents: 1_000 });
  await test.pay(body.payment_intent_id, body.client_secret);
  await acting.post('/v1/billing/topup/confirm', { payment_intent_id: body.payment_intent_id });
  const charge = test.stripe.state.find('payment_intent', body.payment_intent_id)?.latest_charge as string;
  return { userId, disputeId: test.stripe.openDispute(charge).id };
}

it('have their effect by the sweep, also where others fail', async () => {
  const [first, second] = [await disputedTopup(), await disputedTopup()];
  const failing = await received('charge.dispute.created', first.disputeId, { triedMinutesAgo: 40 });
  const due = await received('charge.dispute.created', second.disputeId);
  test.stripe.planFault(new RegExp(`^GET /v1/disputes/${first.disputeId}`), { kind: 'answer', status: 429 }, 3);
  await sweep();
  expect([await balance(first.userId), await balance(second.userId)]).toEqual([10_000, 0]);
  expect([await isOpen(failing), await isOpen(due)]).toEqual([true, false]);
  await sweep(); // too soon for the sweep
  expect(await isOpen(failing)).toBe(true);
  test.stripe.faults.clear();
  await query("UPDATE inbound_events SET checked_at = now() - interval '31 minutes' WHERE event_id = $1", [failing]);
  await sweep();
  expect(await isOpen(failing)).toBe(false);
  expect(await balance(first.userId)).toBe(0);
});

it.each([
  ['while its job may still try it', { minutesAgo: 29, triedMinutesAgo: 29 }],
  ['more seldom the older it is', { minutesAgo: 24 * 60, triedMinutesAgo: 170 }],
])('are left alone %s', async (_when, times) => {
  const id = await received('charge.dispute.created', 'dp_none', times);
  await sweep();
  expect(await isOpen(id)).toBe(true);
  await query("UPDATE inbound_events SET checked_at = checked_at - interval '11 minutes' WHERE event_id = $1", [id]);
  await sweep();
  expect(await isOpen(id)).toBe(false);
});

it('are kept until they have had their effect', async () => {
  const times = { minutesAgo: 91 * 24 * 60 };
  const [open, handled] = [
    await received('charge.dispute.created', 'dp_none', times),
    await received('refund.created', 're_none', times),
  ];
  await query('UPDATE inbound_events SET handled_at = now() WHERE event_id = $1', [handled]);
  await test.gateway.service.app.get(RetentionService).deleteExpiredRows();
  expect(await query('SELECT event_id FROM inbound_events WHERE event_id = ANY ($1)', [[open, handled]])).toEqual([
    { event_id: open },
  ]);
});
