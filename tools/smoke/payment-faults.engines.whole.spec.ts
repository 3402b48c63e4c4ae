import { newId } from '@platform/platform';
import { until } from '@platform/testing';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectSoundLedger, LedgerLoad } from './testing/ledger-load.js';
import { compareBooks, type Sums } from './testing/books.js';
import { endFaults } from './testing/faults.js';
import { addPayers } from './testing/payers.js';
import { PayingPlatform } from './testing/paying-platform.js';
import { PaymentOperations } from './testing/payment-operations.js';
import { RestartablePostgres } from './testing/restartable-postgres.js';
import { numbers } from './random-numbers.js';

/**
 * Full run, a quarter of an hour (`-t` comes before `--`): `PAYMENT_MINUTES=14
 * PAYMENT_OPERATIONS=6000 PAYMENT_KILLS=40 LEDGER_OPERATIONS=95000 LEDGER_KILLS=20 npx jest
 * --selectProjects tools -t 'operations with money' -- tools/smoke/faults-of-payments`
 */
const OPERATIONS = Number(process.env['PAYMENT_OPERATIONS'] ?? 90);
const KILLS = Number(process.env['PAYMENT_KILLS'] ?? 2);
const LEDGER_OPERATIONS = Number(process.env['LEDGER_OPERATIONS'] ?? 300);
const LEDGER_KILLS = Number(process.env['LEDGER_KILLS'] ?? 1);
const LONGEST_MS = Number(process.env['PAYMENT_MINUTES'] ?? 600) * 60_000;
const PAYERS = 30;
const WHOLE_MS = Math.max(240_000, OPERATIONS * 250);

/**
 * Kills processes of the platform and of the ledger in turns, after about as many operations each
 * time. Returns the number of kills.
 */
async function killMeanwhile(
  platform: PayingPlatform,
  payments: PaymentOperations,
  ledger: LedgerLoad,
): Promise<number> {
  const random = numbers(OPERATIONS);
  for (let kill = 1; kill <= KILLS; kill++) {
    const at = Math.floor((OPERATIONS * (kill - 0.5 + random(100) / 200)) / (KILLS + 1));
    await reached(payments, at);
    if (payments.isOver) return kill - 1;
    await platform.kill(random(3) ? 'gateway' : 'worker');
    if (kill <= LEDGER_KILLS) await ledger.killOne();
  }
  return KILLS;
}

const reached = (payments: PaymentOperations, count: number) =>
  Promise.race([until(() => payments.done >= count), payments.ended()]);

/** Banks decide about processing payments. */
async function finishProcessing(platform: PayingPlatform): Promise<void> {
  const slow = (await platform.allOfStripe<{ id: string; status: string }>('payment_intents')).filter(
    ({ status }) => status === 'processing',
  );
  for (const [at, { id }] of slow.entries()) await platform.control('finish-processing', { id, succeeds: at % 3 > 0 });
}

/**
 * Passes a day: the provider repeats an answer of a request for a day, also an error (500). Later
 * the gateway checks the result and tries again.
 */
async function passDay(platform: PayingPlatform): Promise<void> {
  await platform.control('clock', { ahead: 25 * 3_600 });
  await platform.query(
    "UPDATE payments SET created_at = created_at - interval '1 day' WHERE status NOT IN ('succeeded', 'failed', 'canceled')",
  );
  await platform.query(
    "UPDATE payment_refunds SET created_at = created_at - interval '1 day' WHERE status = 'requested'",
  );
}

/**
 * Expects that no state is unknown, and that users got exactly the credits for the provider's
 * payments.
 */
async function expectSameBooks(platform: PayingPlatform): Promise<Sums> {
  await endFaults(platform);
  await finishProcessing(platform);
  await platform.drain();
  expect(await platform.stopServices()).toEqual([0, 0]);
  await passDay(platform);
  expect(await platform.operator('reconcile')).toMatchObject({
    exitCode: 0,
    output: expect.stringMatching(/; 0 left$/m),
  });
  expect(await platform.operator('reconcile')).toMatchObject({
    exitCode: 0,
    // Events about payments that the first run canceled have arrived meanwhile.
    output: expect.stringMatching(/of which 0 changed; \d+ events? not processed before; 0 left$/m),
  });
  const { differences, sums } = await compareBooks(platform);
  expect(differences).toEqual([]);
  expect(await platform.operator('verify')).toMatchObject({
    exitCode: 0,
    output: expect.stringMatching(/ 0 problems$/m),
  });
  return sums;
}

it(
  `${OPERATIONS} operations with money and ${LEDGER_OPERATIONS} with credits, of a gateway and a worker that are killed ${KILLS} times and a provider that fails, leave books that are those of the provider`,
  async () => {
    const platform = await PayingPlatform.start();
    try {
      const { userIds, wallets, earnings } = await addPayers(platform, PAYERS);
      const began = performance.now();
      const ledger = await LedgerLoad.start(
        [platform.database.url, wallets.join(), earnings.join()],
        LEDGER_OPERATIONS,
      );
      const payments = new PaymentOperations(platform, userIds, OPERATIONS, LONGEST_MS);
      let kills = 0;
      try {
        [kills] = await Promise.all([killMeanwhile(platform, payments, ledger), payments.ended()]);
        await ledger.reached(LEDGER_OPERATIONS);
      } finally {
        await ledger.stop();
      }
      const loaded = performance.now();
      const sums = await expectSameBooks(platform);
      expect(sums.intents).toBeGreaterThan(payments.done / 8);
      await expectSoundLedger(platform.dataSource, ledger.done, platform.keyring);
      expect(payments.unexpected).toEqual([]);
      if (process.env['PAYMENT_OPERATIONS']) {
        const minutes = (from: number, to: number) => `${((to - from) / 60_000).toFixed(1)} min`;
        console.info(
          [
            `${payments.done} operations with money, ${LEDGER_OPERATIONS} with credits, ${kills} kills of gateway or worker: ${minutes(began, loaded)}, and ${minutes(loaded, performance.now())} to compare`,
            JSON.stringify(sums),
            ...[...payments.answers].sort().map(([line, count]) => `${line} × ${count}`),
          ].join('\n'),
        );
      }
    } finally {
      await platform.stop();
    }
  },
  WHOLE_MS,
);

it('fault 19: a worker that is killed five times in the middle of an event has it handled once, and no job is lost', async () => {
  const platform = await PayingPlatform.start();
  try {
    const { userIds } = await addPayers(platform, 1);
    const [userId = ''] = userIds;
    await platform.drain();
    const begun = await platform.ask('POST', '/v1/billing/topup', { tokens: 10_000, price_cents: 1_000 }, { userId });
    expect(begun.status).toBe(200);
    await platform.drain();
    // Longer than the process lives: it is killed while it waits for the payment.
    await platform.control('faults', {
      request: '^GET /v1/payment_intents/',
      fault: { kind: 'slow', ms: 60_000 },
      times: 1_000,
    });
    const id = String(begun.body['payment_intent_id']);
    expect(
      (await platform.askStripe('POST', `payment_intents/${id}/confirm`, { payment_method: 'pm_card_visa' })).status,
    ).toBe(200);
    for (let kill = 1, left = 1_000; kill <= 5; kill++) {
      await until(async () => (await platform.faultsLeft()) < left);
      left = await platform.faultsLeft();
      if (kill === 5) await endFaults(platform);
      await platform.kill('worker', { expiresLocks: true });
    }
    await platform.drain();
    expect(await platform.query('SELECT id FROM outbox WHERE failed_at IS NOT NULL')).toEqual([]);
    expect(await platform.query("SELECT amount::int FROM ledger_entries WHERE kind = 'topup'")).toEqual([
      { amount: 10_000 },
    ]);
    expect((await expectSameBooks(platform)).topupCredits).toBe(10_000);
  } finally {
    await platform.stop();
  }
}, 180_000);

const AWAY_MS = Number(process.env['PROVIDER_AWAY_SECONDS'] ?? 5) * 1_000;

it(
  `fault 28: while a provider is stopped for ${AWAY_MS / 1_000} s reads answer and a top-up says when to try again, and all converges`,
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'payments-'));
    const platform = await PayingPlatform.start(undefined, { paymentsFile: join(folder, 'payments.json') });
    try {
      const { userIds } = await addPayers(platform, 2, { autoTopUps: false });
      const [before = '', during = ''] = userIds;
      await platform.drain();
      const request = { tokens: 10_000, price_cents: 1_000 };
      const begun = await platform.ask('POST', '/v1/billing/topup', request, { userId: before });
      expect(begun.status).toBe(200);
      await platform.drain();
      await platform.stopStripe();
      const [key, end] = [newId('key'), performance.now() + AWAY_MS];
      do {
        for (const path of [
          'wallet',
          'plans',
          'subscription',
          'payments',
          'payment-methods',
          'topup-config',
          'auto-topup',
          'invoices',
        ])
          expect([
            path,
            (await platform.ask('GET', `/v1/billing/${path}`, undefined, { userId: during })).status,
          ]).toEqual([path, 200]);
        const answer = await platform.ask('POST', '/v1/billing/topup', request, { userId: during, key });
        expect([answer.status, Number(answer.retryAfter) > 0]).toEqual([503, true]);
      } while (performance.now() < end);
      await platform.startStripe();
      const id = String(begun.body['payment_intent_id']);
      expect(
        (await platform.askStripe('POST', `payment_intents/${id}/confirm`, { payment_method: 'pm_card_visa' })).status,
      ).toBe(200);
      const again = await until(async () => {
        const answer = await platform.ask('POST', '/v1/billing/topup', request, { userId: during, key });
        return answer.status === 200 ? answer : null;
      });
      const second = String(again.body['payment_intent_id']);
      expect(
        (await platform.askStripe('POST', `payment_intents/${second}/confirm`, { payment_method: 'pm_card_visa' }))
          .status,
      ).toBe(200);
      await platform.drain();
      expect((await expectSameBooks(platform)).topupCredits).toBe(20_000);
    } finally {
      await platform.stop();
      await rm(folder, { recursive: true });
    }
  },
  Math.max(180_000, 3 * AWAY_MS),
);

describe('fault 20: a PostgreSQL that is restarted while users pay', () => {
  let server: RestartablePostgres;
  beforeAll(async () => {
    server = await RestartablePostgres.start();
  }, 120_000);
  afterAll(() => server.stop());

  it('fast and immediate: no payment is lost or has its effect twice, and the processes go on by themselves', async () => {
    const platform = await PayingPlatform.start({ url: server.url, drop: () => Promise.resolve() });
    try {
      const { userIds } = await addPayers(platform, 10);
      const payments = new PaymentOperations(platform, userIds, 120);
      await reached(payments, 40);
      await server.restart('SIGINT');
      await reached(payments, 80);
      await server.restart('SIGQUIT');
      await payments.ended();
      expect(payments.unexpected).toEqual([]);
      expect((await expectSameBooks(platform)).intents).toBeGreaterThan(10);
    } finally {
      await platform.stop();
    }
  }, 240_000);
});
