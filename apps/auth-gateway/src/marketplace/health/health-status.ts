import type { KnownHealthStatus } from '@platform/contracts';
import type { RecentOutcomes } from '../../extensions/actions/recent-outcomes.js';

/** Fewer say too little: two accounts could call an app only to have it fail. */
const FEWEST_CALLERS = 5;

/** The health of an app, as its last calls show it. */
export function healthStatusOf({ callers, failing }: RecentOutcomes): KnownHealthStatus {
  if (failing * 10 < callers || failing === 0) return 'healthy';
  return callers >= FEWEST_CALLERS && failing * 2 >= callers ? 'unhealthy' : 'degraded';
}

/** What its developer is told. Null with fewer than five callers, unless the app is healthy: then what was told last stays. */
export function toldHealthStatusOf(outcomes: RecentOutcomes): KnownHealthStatus | null {
  const status = healthStatusOf(outcomes);
  return status === 'healthy' || outcomes.callers >= FEWEST_CALLERS ? status : null;
}
