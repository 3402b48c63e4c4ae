/** In place of texts that name routes of the API, which nobody calls who sits in front of a page. */
const TEXTS: Record<string, string> = {
  'auto_topup.cap_too_small': 'The most for a month is no less than the most for a day, and that no less than what is bought at once.',
  'idempotency.in_progress': 'This is being done already. Wait a moment.',
  'payment.card_required': 'You have no saved card yet. Pay by entering one, or save one under Payments.',
  'payment.too_many_declines': 'Too many payments by your saved card were declined. Pay by entering a card, or try again in an hour.',
  payment_provider_unavailable: 'Payments cannot be made at the moment. Try again in a minute: you will not pay twice.',
  'payment_method.last_of_plan': 'This card pays your plan. Add another one first, or cancel the plan under Subscription.',
  'subscription.exists': 'You have a paid plan already. You can change it instead.',
  'subscription.none': 'You have no paid plan.',
  'subscription.nothing_to_renew': 'There is no plan to renew.',
  'subscription.over': 'The month of your plan that has begun is not paid yet. Pay it first, under Your plan, or wait an hour.',
};

export const refusalText = (code: string): string | undefined => (Object.hasOwn(TEXTS, code) ? TEXTS[code] : undefined);
