import { MINUTE, policy } from '../../kernel/rate-limits.js';

/**
 * Rate limit of changes in the developer portal except deploys: 240 a minute for each user, by
 * routes and functions together. These are changes of the profile, tier, apps and secrets, replays,
 * and runs of schedules.
 */
export const PORTAL_LIMIT = policy('developer-portal', 240, MINUTE);
