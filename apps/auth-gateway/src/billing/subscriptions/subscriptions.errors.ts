import { AppError } from '@platform/platform';

export const SubscriptionErrors = {
  planNotFound: () => new AppError(404, 'plan.not_found', 'There is no such plan: GET /v1/billing/plans lists them.'),
  notForSale: (why: string) => new AppError(400, 'plan.not_for_sale', why),
  annual: () => new AppError(400, 'plan.monthly_only', '"period" must be "monthly": plans are sold by the month.'),
  checkoutRequired: (planId: string) =>
    new AppError(
      402,
      'subscription.checkout_required',
      `The plan ${planId} must be paid. Start its first payment with POST /v1/billing/checkout.`,
      {
        details: { checkout: '/v1/billing/checkout', plan_id: planId },
      },
    ),
  exists: () =>
    new AppError(
      409,
      'subscription.exists',
      'You already have a paid plan. Change it with POST /v1/billing/change-plan, or end it with POST /v1/billing/cancel.',
    ),
  none: () => new AppError(409, 'subscription.none', 'You have no paid plan. Buy one with POST /v1/billing/checkout.'),
  over: () =>
    new AppError(
      409,
      'subscription.over',
      'The period of your plan is over and the next one is not paid. Pay it with POST /v1/billing/renew.',
    ),
  samePlan: () => new AppError(409, 'subscription.same_plan', 'You already have this plan.'),
  otherDirection: (action: 'upgrade' | 'downgrade') =>
    new AppError(
      409,
      'subscription.other_direction',
      `That plan is ${action === 'upgrade' ? 'larger' : 'smaller'} than your current plan.`,
    ),
  byContract: () =>
    new AppError(
      409,
      'subscription.by_contract',
      'Your plan is based on a contract. Only the operator of the platform can change it.',
    ),
  notDue: () =>
    new AppError(
      409,
      'subscription.not_due',
      'Your plan is paid until the end of its period. It renews automatically.',
    ),
  changed: () =>
    new AppError(
      409,
      'subscription.changed',
      'Another request has just changed your plan. Read it with GET /v1/billing/subscription and try again.',
    ),
  nothingToRenew: () =>
    new AppError(
      409,
      'subscription.nothing_to_renew',
      'You have no plan to renew. Buy one with POST /v1/billing/checkout.',
    ),
  notPaid: (why: string | null) => new AppError(402, 'payment.not_paid', why ?? 'The payment is not completed yet.'),
  givenBack: () =>
    new AppError(
      409,
      'payment.given_back',
      'The item that you paid for could no longer be delivered. The payment is refunded.',
    ),
};
