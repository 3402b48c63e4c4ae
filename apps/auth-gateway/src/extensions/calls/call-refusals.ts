import { formatCredits, UsageErrors, WalletErrors, type RefusedUse } from '@platform/billing';
import { AppError } from '@platform/platform';
import { CallErrors } from './calls.errors.js';
import { CallRefusal } from './function-error.js';

export const CallRefusals = {
  /** @param balance credits that the user can spend. */
  insufficient: (price: number, balance: number) =>
    new CallRefusal('INSUFFICIENT_CREDITS', WalletErrors.insufficient(price, balance), { price, balance }),
  inDebt: (price: number) => new CallRefusal('INSUFFICIENT_CREDITS', WalletErrors.inDebt(price), { price }),
  tooManyAbandoned: () => new CallRefusal('RATE_LIMITED', CallErrors.tooManyAtOnce(), {}, true),
  /** @param left credits left of the limit this month. */
  spendingLimit: (price: number, left: number) =>
    new CallRefusal(
      'SPENDING_LIMIT_REACHED',
      new AppError(
        402,
        'spending.limit_reached',
        `This costs ${formatCredits(price)}, but your spending limit leaves only ${left} for this month. Change the limit with PUT /v1/me/spending.`,
        { details: { price, left } },
      ),
      { price, left },
    ),
  /**
   * @param priceVersion the current one.
   * @param agreed null if the user agreed to another kind of price.
   */
  priceNotAgreed: (appId: string, priceVersion: number | null, price: number, agreed: number | null) => {
    const before = agreed === null ? 'you agreed to another kind of price' : `you agreed to ${agreed}`;
    const details = { price, agreed_price: agreed, price_version: priceVersion };
    return new CallRefusal(
      'PRICE_NOT_AGREED',
      new AppError(
        409,
        'extension.price_not_agreed',
        `This now costs ${formatCredits(price)}, but ${before}. To agree to the new price, install the app again: POST /v1/marketplace/apps/${appId}/install with {"price_version": ${priceVersion}}.`,
        { details },
      ),
      details,
    );
  },
  usageLimit: (use: RefusedUse) =>
    new CallRefusal('USAGE_LIMIT_EXCEEDED', UsageErrors.limitExceeded(use), {
      limit: use.limit,
      resets_at: use.resetsAt.toISOString(),
    }),
};
