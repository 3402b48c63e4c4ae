import { DEVELOPER_TIERS, type DeveloperTier, type DeveloperTierTerms } from '@platform/contracts';
import { DeveloperErrors } from './developers.errors.js';
import type { LimitsOfTiers, TierLimits } from '../../tier-limits.js';

type Terms = Omit<DeveloperTierTerms, 'tier' | 'revenue_split_platform' | 'admin_only' | keyof TierLimits>;

const TERMS: Record<DeveloperTier, Terms> = {
  explorer: { revenue_split_dev: 70, payouts: false, tokens_per_year: 0 },
  indie: { revenue_split_dev: 80, payouts: true, tokens_per_year: 9_000 },
  studio: { revenue_split_dev: 85, payouts: true, tokens_per_year: 29_000 },
  partner: { revenue_split_dev: 95, payouts: true, tokens_per_year: 79_000 },
};

/** Nobody takes it for themselves. */
const ADMIN_TIER: DeveloperTier = 'partner';
export const FREE_TIER: DeveloperTier = 'explorer';

/** @param limits those of the configuration. */
export const termsOf = (tier: DeveloperTier, limits: LimitsOfTiers): DeveloperTierTerms => ({
  tier,
  revenue_split_platform: 100 - TERMS[tier].revenue_split_dev,
  admin_only: tier === ADMIN_TIER,
  ...TERMS[tier],
  ...limits[tier],
});

/** Percent of the price of a call that the developer gets. */
export const splitOf = (tier: DeveloperTier): number => TERMS[tier].revenue_split_dev;

/**
 * Moving down is free, and so is staying.
 *
 * @throws AppError 403 for what only administrators give, 402 for what costs credits.
 */
export function assertMayTake(tier: DeveloperTier, present: DeveloperTier): void {
  if (DEVELOPER_TIERS.indexOf(tier) <= DEVELOPER_TIERS.indexOf(present)) return;
  throw tier === ADMIN_TIER ? DeveloperErrors.tierByAdministrator(tier) : DeveloperErrors.tierNotPayable(tier);
}
