import { CREDITS_PER_CENT, MIN_TOPUP_CENTS, type TopUpTier } from '@platform/contracts';
import { TopupErrors } from './topups.errors.js';

/** Amounts for the buttons of clients. Other amounts are sold too. */
const TIERS: readonly Omit<TopUpTier, 'price_cents'>[] = [
  { tokens: 5_000, label: '5,000 credits' },
  { tokens: 10_000, label: '10,000 credits' },
  { tokens: 20_000, label: '20,000 credits' },
  { tokens: 50_000, label: '50,000 credits' },
  { tokens: 100_000, label: '100,000 credits' },
];

/**
 * Price of credits in US cents. Credits are sold in multiples of ten, so that a price is whole
 * cents.
 */
export const getTopUpPrice = (credits: number): number => credits / CREDITS_PER_CENT;

export const getTopUpTiers = (maxCents: number): TopUpTier[] =>
  TIERS.map(({ tokens, label }) => ({ tokens, price_cents: getTopUpPrice(tokens), label })).filter(
    ({ price_cents }) => price_cents <= maxCents,
  );

/**
 * Checks that these credits are sold for this price.
 *
 * @throws AppError 400 `topup.not_by_tens` if the credits are no multiple of 10,
 * `topup.out_of_range` if they cost less than 50 cents or more than `maxCents`,
 * `topup.price_mismatch` if they have another price.
 */
export function assertTopUpPrice(credits: number, priceCents: number, maxCents: number): void {
  if (credits % CREDITS_PER_CENT !== 0) throw TopupErrors.notByTens();
  const price = getTopUpPrice(credits);
  if (price < MIN_TOPUP_CENTS || price > maxCents) throw TopupErrors.outOfRange(MIN_TOPUP_CENTS, maxCents);
  if (price !== priceCents) throw TopupErrors.priceMismatch(price);
}
