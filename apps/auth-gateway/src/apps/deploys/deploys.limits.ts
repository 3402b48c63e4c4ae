import { MINUTE, policy } from '../../kernel/rate-limits.js';

/** Of one user, by the route and by the function `deploy_ir`. */
export const DEPLOYS_LIMIT = policy('deploys', 60, MINUTE);
