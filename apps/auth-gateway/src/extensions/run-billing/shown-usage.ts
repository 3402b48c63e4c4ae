import type { LimitsResponse } from '@platform/contracts';

const OF_APPS = 'app:';

/** The meters of an app, whatever it calls them. */
export const metersOf = (appId: string): string => `${OF_APPS}${appId}:`;

/** What a user used as an app is told it: of the meters of apps it has those of this app. Which others the user has is not its business. */
export function shownTo(appId: string | undefined, limits: LimitsResponse): LimitsResponse {
  if (appId === undefined) return limits;
  const shown = Object.entries(limits.usage).filter(([meter]) => !meter.startsWith(OF_APPS) || meter.startsWith(metersOf(appId)));
  const { plan, limits: allowed, exceeded, resets_at } = limits;
  return { plan, usage: Object.fromEntries(shown), limits: allowed, exceeded, resets_at };
}
