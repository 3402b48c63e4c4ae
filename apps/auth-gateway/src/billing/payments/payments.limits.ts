import { MINUTE, policy } from '../../kernel/rate-limits.js';

/** Of a user. Each asks the provider, who counts what we ask (https://docs.stripe.com/rate-limits). */
export const PAYMENT_LIMIT = policy('payments', 30, MINUTE);
