import { DAY, MINUTE, policy } from '../../kernel/rate-limits.js';

/** Of a user. Each request asks the provider, who limits our requests (https://docs.stripe.com/rate-limits), and payments that are begun are kept for months. */
export const PAYMENT_LIMITS = [policy('payments', 30, MINUTE), policy('payments-day', 500, DAY)];
/** Of a user. Each consent is kept for good. */
export const CONSENT_LIMIT = policy('auto-topup-settings-day', 30, DAY);
