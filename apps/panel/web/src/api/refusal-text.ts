/** Replacements for messages that name API routes, which do not help users of the panel. */
const TEXTS: Record<string, string> = {
  'auto_topup.cap_too_small':
    'The monthly limit must be at least the daily limit, and the daily limit at least the price of one top-up.',
  'idempotency.in_progress': 'This request is already being processed. Wait a moment.',
  'payment.card_required': 'You have no saved card yet. Enter a card to pay, or save one under Payments.',
  'payment.too_many_declines':
    'Too many payments with your saved card were declined. Enter another card to pay, or try again in an hour.',
  payment_provider_unavailable:
    'Payments are not available at the moment. Try again in a minute. You will not pay twice.',
  'payment_method.last_of_plan':
    'This card pays for your plan. Add another card first, or cancel the plan under Subscription.',
  'subscription.exists': 'You already have a paid plan. You can change it instead.',
  'subscription.none': 'You have no paid plan.',
  'subscription.nothing_to_renew': 'There is no plan to renew.',
  'subscription.over': 'The current month of your plan is not paid yet. Pay it first under Your plan, or wait an hour.',
};

export const refusalText = (code: string): string | undefined => (Object.hasOwn(TEXTS, code) ? TEXTS[code] : undefined);
