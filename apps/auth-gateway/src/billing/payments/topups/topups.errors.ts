import { AppError } from '@platform/platform';
import { formatUsd } from '../../../kernel/money.js';

export const TopupErrors = {
  priceMismatch: (priceCents: number) =>
    new AppError(400, 'topup.price_mismatch', `These credits cost ${formatUsd(priceCents)}.`, {
      details: { price_cents: priceCents },
    }),
  notByTens: () =>
    new AppError(400, 'topup.not_by_tens', 'Credits are sold in multiples of 10: 10 credits cost one US cent.'),
  outOfRange: (minCents: number, maxCents: number) =>
    new AppError(400, 'topup.out_of_range', `A top-up is of ${formatUsd(minCents)} to ${formatUsd(maxCents)}.`, {
      details: { min_cents: minCents, max_cents: maxCents },
    }),
};
