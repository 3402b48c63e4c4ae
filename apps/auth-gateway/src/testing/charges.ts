import type { GatewayTest } from './gateway-test.js';
import { giveCredits } from './wallets.js';

let made = 0;

interface Charges {
  developerId: string;
  appId: string;
  /** Credits per call. */
  price: number;
  calls?: number;
  split?: number;
  function?: string;
}

/**
 * Records successful calls and charges them. @param walletId wallet of the caller; must hold the
 * total price.
 */
export async function chargeCalls(
  { service }: Pick<GatewayTest, 'service'>,
  walletId: string,
  { developerId, appId, price, calls = 1, split = 70, function: name = 'create_note' }: Charges,
): Promise<void> {
  const items = Array.from({ length: calls }, () => ({
    ...{ key: `test:call:${++made}`, amount: price, kind: 'call_charge', counter: 'usage' },
    ...{ app_id: appId, function: name, price_version: 1, developer_id: developerId, split },
  }));
  const rows = await service.query<{ outcome: string }>('SELECT outcome FROM ledger_debit($1, $2)', [
    walletId,
    JSON.stringify(items),
  ]);
  const refused = rows.find(({ outcome }) => outcome !== 'done');
  if (refused) throw new Error(`charging calls: ${refused.outcome}`);
}

/**
 * Gives a developer earnings, through a paid call of a new user. @param appId does not need to
 * exist.
 */
export async function giveEarnings(
  gateway: GatewayTest,
  developerId: string,
  amount: number,
  appId = 'an-app',
): Promise<void> {
  const { id } = await gateway.user();
  const walletId = await giveCredits(gateway, id, amount, { earns: true });
  await chargeCalls(gateway, walletId, { developerId, appId, price: amount, split: 100 });
}
