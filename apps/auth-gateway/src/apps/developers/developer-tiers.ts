import { DEVELOPER_TIERS, type DeveloperTier, type DeveloperTierTerms } from '@platform/contracts';
import { DeveloperErrors } from './developers.errors.js';
import type { AllTierLimits, TierLimits } from '../../tier-limits.js';

type Terms = Omit<DeveloperTierTerms, 'tier' | 'revenue_split_platform' | 'admin_only' | keyof TierLimits>;

const TERMS: Record<DeveloperTier, Terms> = {
  explorer: { revenue_split_dev: 70, payouts: false, tokens_per_year: 0 },
  indie: { revenue_split_dev: 80, payouts: true, tokens_per_year: 9_000 },
  studio: { revenue_split_dev: 85, payouts: true, tokens_per_year: 29_000 },
  partner: { revenue_split_dev: 95, payouts: true, tokens_per_year: 79_000 },
};

/** Only administrators give this tier. */
const ADMIN_TIER: DeveloperTier = 'partner';
export const FREE_TIER: DeveloperTier = 'explorer';

/**
 * Returns the price, shares and limits of a tier.
 *
 * @param limits from the configuration.
 */
export const getTierTerms = (tier: DeveloperTier, limits: AllTierLimits): DeveloperTierTerms => ({
  tier,
  revenue_split_platform: 100 - TERMS[tier].revenue_split_dev,
  admin_only: tier === ADMIN_TIER,
  ...TERMS[tier],
  ...limits[tier],
});

/** Percentage of the price of a call that a developer of this tier gets. */
export const getTierSplit = (tier: DeveloperTier): number => TERMS[tier].revenue_split_dev;

/** Credits per year. */
export const getTierPrice = (tier: DeveloperTier): number => TERMS[tier].tokens_per_year;

export const hasPayouts = (tier: DeveloperTier): boolean => TERMS[tier].payouts;

export const isHigherTier = (tier: DeveloperTier, than: DeveloperTier): boolean =>
  DEVELOPER_TIERS.indexOf(tier) > DEVELOPER_TIERS.indexOf(than);

/**
 * Checks that a developer can choose a tier. Lower tiers and the present tier are always allowed.
 *
 * @throws AppError 403 `developer.tier_by_administrator` for a higher tier that only administrators
 * give.
 */
export function assertTierAvailable(tier: DeveloperTier, present: DeveloperTier): void {
  if (tier === ADMIN_TIER && isHigherTier(tier, present)) throw DeveloperErrors.tierByAdministrator(tier);
}
