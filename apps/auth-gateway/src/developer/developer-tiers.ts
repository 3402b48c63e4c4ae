import { DEVELOPER_TIERS, type DeveloperTier, type DeveloperTierTerms } from '@platform/contracts';
import { DeveloperErrors } from './developers.errors.js';

type Terms = Omit<DeveloperTierTerms, 'tier' | 'revenue_split_platform' | 'admin_only'>;

const TERMS: Record<DeveloperTier, Terms> = {
  explorer: {
    revenue_split_dev: 70,
    max_apps: 1,
    payouts: false,
    analytics_days: 7,
    requests_per_minute: 100,
    tokens_per_year: 0,
  },
  indie: {
    revenue_split_dev: 80,
    max_apps: 3,
    payouts: true,
    analytics_days: 30,
    requests_per_minute: 500,
    tokens_per_year: 9_000,
  },
  studio: {
    revenue_split_dev: 85,
    max_apps: 10,
    payouts: true,
    analytics_days: 90,
    requests_per_minute: 2_000,
    tokens_per_year: 29_000,
  },
  partner: {
    revenue_split_dev: 95,
    max_apps: null,
    payouts: true,
    analytics_days: 365,
    requests_per_minute: 5_000,
    tokens_per_year: 79_000,
  },
};

/** Nobody takes it for themselves. */
const ADMIN_TIER: DeveloperTier = 'partner';
export const FREE_TIER: DeveloperTier = 'explorer';

export const termsOf = (tier: DeveloperTier): DeveloperTierTerms => ({
  tier,
  revenue_split_platform: 100 - TERMS[tier].revenue_split_dev,
  admin_only: tier === ADMIN_TIER,
  ...TERMS[tier],
});

/**
 * Moving down is free, and so is staying.
 *
 * @throws AppError 403 for what only administrators give, 402 for what costs credits.
 */
export function assertMayTake(tier: DeveloperTier, present: DeveloperTier): void {
  if (DEVELOPER_TIERS.indexOf(tier) <= DEVELOPER_TIERS.indexOf(present)) return;
  throw tier === ADMIN_TIER ? DeveloperErrors.tierByAdministrator(tier) : DeveloperErrors.tierNotPayable(tier);
}
