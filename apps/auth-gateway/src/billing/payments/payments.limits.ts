import { DAY, MINUTE, policy } from '../../kernel/rate-limits.js';

/**
 * Limits of one user for requests that start payments. Each request asks the provider, which limits
 * our requests (https://docs.stripe.com/rate-limits), and is stored for months.
 */
export const PAYMENT_LIMITS = [policy('payments', 30, MINUTE), policy('payments-day', 500, DAY)];
/** Limit of one user for saving cards. The provider keeps each set-up for ever. */
export const CARD_SETUP_LIMIT = policy('card-setups-day', 50, DAY);
/**
 * Limits of one user for requests that end or change payments. A command line login cannot send
 * these requests, so it cannot use up the limit.
 */
export const ENDING_LIMITS = [policy('payment-endings', 30, MINUTE), policy('payment-endings-day', 500, DAY)];
/** Limits of one user for other changes, which the audit log or the provider stores. */
export const BILLING_LIMITS = [policy('billing-changes', 30, MINUTE), policy('billing-changes-day', 500, DAY)];
/** Limit of one user for enabling automatic top-ups. Each consent is stored for ever. */
export const CONSENT_LIMIT = policy('auto-topup-consents-day', 30, DAY);
