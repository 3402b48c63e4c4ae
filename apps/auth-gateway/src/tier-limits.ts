import { DEVELOPER_TIERS, MAX_ANALYTICS_DAYS, type DeveloperTier } from '@platform/contracts';
import { makeExactValidator } from 'envalid';

/** Limits of a tier; null: no limit. */
export interface TierLimits {
  max_apps: number | null;
  analytics_days: number;
  requests_per_minute: number | null;
}

export type AllTierLimits = Record<DeveloperTier, TierLimits>;

const NONE: TierLimits = { max_apps: null, analytics_days: MAX_ANALYTICS_DAYS, requests_per_minute: null };

/** Limits for a marketplace with paid tiers. */
const STANDARD: AllTierLimits = {
  explorer: { max_apps: 1, analytics_days: 7, requests_per_minute: 100 },
  indie: { max_apps: 3, analytics_days: 30, requests_per_minute: 500 },
  studio: { max_apps: 10, analytics_days: 90, requests_per_minute: 2_000 },
  partner: { max_apps: null, analytics_days: MAX_ANALYTICS_DAYS, requests_per_minute: 5_000 },
};

/** Limits by their names in the variable, with their maximum values. */
const LIMITS = {
  apps: { key: 'max_apps', most: 1_000_000 },
  days: { key: 'analytics_days', most: MAX_ANALYTICS_DAYS },
  requests: { key: 'requests_per_minute', most: 1_000_000 },
} as const;

const EXPECTED = 'expected standard, none, or tier:limit=number+limit=number,tier:…';

/**
 * Parses the limits of the developer tiers: `none`, `standard`, or a list such as
 * `explorer:apps=1+days=7+requests=100,indie:apps=3`. Returns the limits of every tier. A tier or a
 * limit that is not listed has no limit, except that analytics go back `MAX_ANALYTICS_DAYS` days at
 * most.
 *
 * @throws Error if the text has another form, names an unknown tier or limit, lists one twice, or
 * has a number out of range.
 */
export const tierLimits = makeExactValidator<AllTierLimits>((input) => {
  if (input === 'none') return limitsOf(new Map());
  if (input === 'standard') return STANDARD;
  const limits = new Map<DeveloperTier, TierLimits>();
  for (const entry of input.split(',')) {
    const [name, list, ...rest] = entry.trim().split(':');
    if (!name || !list || rest.length) throw new Error(EXPECTED);
    const tier = DEVELOPER_TIERS.find((each) => each === name);
    if (!tier) throw new Error(`there is no tier "${name}"; the tiers are ${DEVELOPER_TIERS.join(', ')}`);
    if (limits.has(tier)) throw new Error(`"${name}" is listed twice`);
    const named = list.split('+').map(parseLimit);
    if (new Set(named.map(([key]) => key)).size < named.length) throw new Error(`a limit of "${name}" is listed twice`);
    limits.set(tier, { ...NONE, ...Object.fromEntries(named) });
  }
  return limitsOf(limits);
});

export const NO_TIER_LIMITS = limitsOf(new Map());

function limitsOf(limits: ReadonlyMap<DeveloperTier, TierLimits>): AllTierLimits {
  return Object.fromEntries(DEVELOPER_TIERS.map((tier) => [tier, limits.get(tier) ?? NONE])) as AllTierLimits;
}

function parseLimit(text: string): [keyof TierLimits, number] {
  const [name = '', value = '', ...rest] = text.split('=');
  if (rest.length || !Object.hasOwn(LIMITS, name))
    throw new Error(`${EXPECTED}; the limits are ${Object.keys(LIMITS).join(', ')}`);
  const { key, most } = LIMITS[name as keyof typeof LIMITS];
  if (!/^\d+$/.test(value) || Number(value) < 1 || Number(value) > most) {
    throw new Error(`expected a whole number from 1 to ${most} for ${name}`);
  }
  return [key, Number(value)];
}
