import { DAY, MINUTE, policy } from '../../kernel/rate-limits.js';

/** Limits of one user for requests that begin payments. Each asks the provider, who limits our requests (https://docs.stripe.com/rate-limits), and is kept for months. */
export const PAYMENT_LIMITS = [policy('payments', 30, MINUTE), policy('payments-day', 500, DAY)];
/** Limit of one user for cards to save. The provider keeps each begun one for good. */
export const CARD_SETUP_LIMIT = policy('card-setups-day', 50, DAY);
/** Limits of one user for requests that end or change what pays. No command line login may send them, so none can use up the limit. */
export const ENDING_LIMITS = [policy('payment-endings', 30, MINUTE), policy('payment-endings-day', 500, DAY)];
/** Limits of one user for other changes, which the audit log or the provider keeps. */
export const BILLING_LIMITS = [policy('billing-changes', 30, MINUTE), policy('billing-changes-day', 500, DAY)];
/** Limit of one user for enabling automatic top-ups. Each consent is kept for good. */
export const CONSENT_LIMIT = policy('auto-topup-consents-day', 30, DAY);
