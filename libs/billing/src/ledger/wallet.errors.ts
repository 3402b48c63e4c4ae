import { AppError } from '@platform/platform';
import { formatCredits } from './format-credits.js';

const OWES =
  'The wallet has a debt, shown as `debt` in GET /v1/billing/wallet. Nothing can be spent until it is paid. Incoming credits pay it first.';

/** Refusals of payments that a user makes directly. */
export const WalletErrors = {
  /** @param balance credits that can be spent. */
  insufficient: (price: number, balance: number) =>
    new AppError(402, 'wallet.insufficient', `This costs ${formatCredits(price)}, and ${balance} can be spent.`, {
      details: { price, balance },
    }),
  inDebt: (price: number) => new AppError(402, 'wallet.in_debt', OWES, { details: { price } }),
  closed: () => new AppError(409, 'wallet.closed', 'This wallet is closed.'),
  /** Another transaction, for example an account deletion, kept the wallet locked for too long. */
  locked: (cause: unknown) =>
    new AppError(
      503,
      'unavailable',
      'This wallet is locked by another operation. Nothing was moved. Try again in a moment.',
      {
        headers: { 'Retry-After': '1' },
        cause,
      },
    ),
};
