import type { LimitsResponse } from '@platform/contracts';

const OF_APPS = 'app:';

/** Prefix of all meters of an app. */
export const meterPrefixOf = (appId: string): string => `${OF_APPS}${appId}:`;

/**
 * Returns the user's usage as one app may see it: without the meters of other apps, because these
 * show which apps the user has. Without an `appId`, returns all of it.
 */
export function usageVisibleTo(appId: string | undefined, limits: LimitsResponse): LimitsResponse {
  if (appId === undefined) return limits;
  const shown = Object.entries(limits.usage).filter(
    ([meter]) => !meter.startsWith(OF_APPS) || meter.startsWith(meterPrefixOf(appId)),
  );
  const { plan, limits: allowed, exceeded, resets_at } = limits;
  return { plan, usage: Object.fromEntries(shown), limits: allowed, exceeded, resets_at };
}
