import { MINUTE, policy } from '../../kernel/rate-limits.js';

/**
 * What else than deploys one user changes as a developer, or has done, by the routes of the portal and by its functions: their profile, their
 * tier, their apps, secrets of these, replays and runs of schedules.
 */
export const PORTAL_LIMIT = policy('developer-portal', 240, MINUTE);
