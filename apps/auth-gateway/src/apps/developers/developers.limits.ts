import { MINUTE, policy } from '../../kernel/rate-limits.js';

/**
 * Changes per user in the developer portal except deploys, by routes and functions together:
 * profile, tier, apps, secrets, replays and runs of schedules.
 */
export const PORTAL_LIMIT = policy('developer-portal', 240, MINUTE);
