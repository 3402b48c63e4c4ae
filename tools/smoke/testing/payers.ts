import { LedgerService, WalletsRepository } from '@platform/billing';
import { newId } from '@platform/platform';
import { until } from '@platform/testing';
import type { PayingPlatform } from './paying-platform.js';

export interface Payers {
  userIds: string[];
  /** Wallets for ledger operations during the payments. */
  wallets: string[];
  /** Earnings wallets of developers, as `user:wallet`. */
  earnings: string[];
}

/**
 * Creates users with a saved card. With `autoTopUps` every second user enables automatic top-ups,
 * which can start at once, because a job grants the credits of the plan later.
 */
export async function addPayers(platform: PayingPlatform, count: number, { autoTopUps = true } = {}): Promise<Payers> {
  const wallets = new WalletsRepository(platform.dataSource, new LedgerService(platform.dataSource));
  const addUser = async (id: string): Promise<string> => {
    await platform.query(
      `INSERT INTO users (id, tenant_id, email, email_canonical) VALUES ($1, 'default', $1 || '@example.com', $1 || '@example.com')`,
      [id],
    );
    return id;
  };
  const userIds = await Promise.all(Array.from({ length: count }, (_none, at) => addUser(`usr_payer${at}`)));
  for (const userId of userIds) await keepCard(platform, userId, 'pm_card_visa');
  await until(
    async () =>
      (await platform.query('SELECT DISTINCT user_id FROM payment_methods WHERE user_id = ANY ($1)', [userIds]))
        .length === count,
  );
  for (const userId of userIds.filter((_id, at) => autoTopUps && at % 2)) {
    const settings = { enabled: true, threshold_pct: 50, recharge_tokens: 1_000, recharge_cents: 100 };
    const { status, body } = await platform.ask('PUT', '/v1/billing/auto-topup', settings, { userId });
    if (status !== 200) throw new Error(`Automatic top-ups are refused: ${status} ${JSON.stringify(body)}`);
  }
  const earnings: string[] = [];
  for (const developer of ['usr_dev0', 'usr_dev1', 'usr_dev2']) {
    await addUser(developer);
    earnings.push(`${developer}:${await wallets.ensureWallet(developer, 'earnings')}`);
  }
  return { userIds, wallets: await Promise.all(userIds.map((userId) => wallets.ensureWallet(userId))), earnings };
}

/** Saves a card like a browser. The gateway is notified by an event. */
export async function keepCard(platform: PayingPlatform, userId: string, testCard: string): Promise<void> {
  const { status, body } = await platform.ask(
    'POST',
    '/v1/billing/payment-methods/setup',
    {},
    { userId, key: newId('key') },
  );
  if (status !== 200) return;
  await platform.askStripe('POST', `setup_intents/${String(body['setup_intent_id'])}/confirm`, {
    payment_method: testCard,
  });
}
