import { MINUTE, policy } from '../../kernel/rate-limits.js';

/**
 * Rate limit of deploys: 60 a minute for each user, by the route and the function `deploy_ir`
 * together.
 */
export const DEPLOYS_LIMIT = policy('deploys', 60, MINUTE);
