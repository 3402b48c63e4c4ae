import { MINUTE, policy } from '../../kernel/rate-limits.js';

/** Requests per user, for the route and the function `deploy_ir` together. */
export const DEPLOYS_LIMIT = policy('deploys', 60, MINUTE);
