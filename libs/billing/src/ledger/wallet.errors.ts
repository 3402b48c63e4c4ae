import { AppError } from '@platform/platform';
import { inCredits } from './in-credits.js';

const OWES = 'The wallet owes credits: `debt` of GET /v1/billing/wallet says how many. Nothing can be spent until they are paid.';

/** Refusals of payments that a user makes directly. */
export const WalletErrors = {
  /** @param balance credits that can be spent. */
  insufficient: (price: number, balance: number) =>
    new AppError(402, 'wallet.insufficient', `This costs ${inCredits(price)}, and ${balance} can be spent.`, {
      details: { price, balance },
    }),
  inDebt: (price: number) => new AppError(402, 'wallet.in_debt', OWES, { details: { price } }),
  closed: () => new AppError(409, 'wallet.closed', 'This wallet is closed.'),
  /** Another transaction has locked the wallet, for example an account deletion. */
  locked: (cause: unknown) =>
    new AppError(503, 'unavailable', 'This wallet cannot be changed at the moment. Nothing was moved: try again in a moment.', {
      headers: { 'Retry-After': '1' },
      cause,
    }),
};
