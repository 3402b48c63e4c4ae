import type { KnownHealthStatus } from '@platform/contracts';
import type { RecentOutcomes } from '../../extensions/actions/recent-outcomes.js';

/**
 * With fewer callers, two accounts could make an app look unhealthy with calls that fail on
 * purpose.
 */
const FEWEST_CALLERS = 5;

/** Health of an app by its recent calls. */
export function healthStatusOf({ callers, failing }: RecentOutcomes): KnownHealthStatus {
  if (failing * 10 < callers || failing === 0) return 'healthy';
  return callers >= FEWEST_CALLERS && failing * 2 >= callers ? 'unhealthy' : 'degraded';
}

/**
 * Status to report to the developer. Null if fewer than five callers used an app that is not
 * healthy: then the last reported status stays.
 */
export function toldHealthStatusOf(outcomes: RecentOutcomes): KnownHealthStatus | null {
  const status = healthStatusOf(outcomes);
  return status === 'healthy' || outcomes.callers >= FEWEST_CALLERS ? status : null;
}
