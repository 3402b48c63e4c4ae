import type { KnownHealthStatus } from '@platform/contracts';
import type { RecentOutcomes } from '../../extensions/actions/app-outcomes.repository.js';

/**
 * With fewer callers, two accounts could make an app look unhealthy with calls that fail on
 * purpose.
 */
const FEWEST_CALLERS = 5;

/**
 * Rates the health of an app by its recent callers: `healthy` if the last call failed for fewer
 * than a tenth of them, or for none; `unhealthy` if it failed for at least half of five or more;
 * otherwise `degraded`.
 */
export function rateHealth({ callers, failing }: RecentOutcomes): KnownHealthStatus {
  if (failing * 10 < callers || failing === 0) return 'healthy';
  return callers >= FEWEST_CALLERS && failing * 2 >= callers ? 'unhealthy' : 'degraded';
}

/**
 * Returns the status to report to the developer. Null if the app is not healthy but had fewer than
 * five callers: then the last reported status stays.
 */
export function rateReportedHealth(outcomes: RecentOutcomes): KnownHealthStatus | null {
  const status = rateHealth(outcomes);
  return status === 'healthy' || outcomes.callers >= FEWEST_CALLERS ? status : null;
}
