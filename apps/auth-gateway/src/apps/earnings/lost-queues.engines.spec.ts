import { QueueEngine, SCHEDULE_CHECKS } from '@platform/messaging';
import { deleteQueueData, until } from '@platform/testing';
import { chargeCalls } from '../../testing/charges.js';
import { newDeveloper } from '../../testing/developers.js';
import { GatewayTest } from '../../testing/gateway-test.js';
import { giveCredits } from '../../testing/wallets.js';

const { everyMs } = SCHEDULE_CHECKS;
let gateway: GatewayTest;
beforeAll(async () => {
  SCHEDULE_CHECKS.everyMs = 100;
  gateway = await GatewayTest.start({ WORKERS: 'inline' });
});
afterAll(async () => {
  SCHEDULE_CHECKS.everyMs = everyMs;
  await gateway.stop();
});

it('a queue that loses everything midway loses no share, and has none booked twice', async () => {
  const { user } = await newDeveloper(gateway);
  const walletId = await giveCredits(gateway, (await gateway.user()).id, 10_000, { earns: true });
  const charge = () => chargeCalls(gateway, walletId, { developerId: user.id, appId: 'an-app', price: 10, calls: 50 });
  const isBooked = async () =>
    (await gateway.service.query('SELECT 1 FROM commission_due WHERE developer_id = $1', [user.id])).length === 0;
  await charge();
  await gateway.runScheduledJob('book-commissions');
  await until(isBooked);
  await charge();
  await deleteQueueData(gateway.service, gateway.service.app.get(QueueEngine));
  await charge();
  // Only after the queue has the schedule again.
  await gateway.runScheduledJob('book-commissions');
  await until(isBooked);
  const [booked] = await gateway.service.query(
    `SELECT w.balance::int AS balance, (SELECT sum(calls)::int FROM app_earnings WHERE developer_id = w.user_id) AS calls
     FROM wallets w WHERE w.user_id = $1 AND w.kind = 'earnings'`,
    [user.id],
  );
  expect(booked).toEqual({ balance: 150 * 7, calls: 150 });
});
