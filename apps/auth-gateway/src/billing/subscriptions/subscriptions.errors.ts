import { AppError } from '@platform/platform';

export const SubscriptionErrors = {
  planNotFound: () => new AppError(404, 'plan.not_found', 'There is no such plan: GET /v1/billing/plans lists them.'),
  notForSale: (why: string) => new AppError(400, 'plan.not_for_sale', why),
  annual: () => new AppError(400, 'plan.monthly_only', 'Plans are sold by the month: "period" is "monthly".'),
  checkoutRequired: (planId: string) =>
    new AppError(402, 'subscription.checkout_required', `The plan ${planId} is paid: POST /v1/billing/checkout begins its first payment.`, {
      details: { checkout: '/v1/billing/checkout', plan_id: planId },
    }),
  exists: () =>
    new AppError(
      409,
      'subscription.exists',
      'You have a paid plan already: POST /v1/billing/change-plan changes it, POST /v1/billing/cancel ends it.',
    ),
  none: () => new AppError(409, 'subscription.none', 'You have no paid plan: POST /v1/billing/checkout takes one.'),
  over: () => new AppError(409, 'subscription.over', 'The period of this plan is over: POST /v1/billing/renew pays the next one.'),
  samePlan: () => new AppError(409, 'subscription.same_plan', 'This is the plan that you have.'),
  otherDirection: (action: 'upgrade' | 'downgrade') =>
    new AppError(
      409,
      'subscription.other_direction',
      `That plan is ${action === 'upgrade' ? 'larger' : 'smaller'} than the one that you have.`,
    ),
  byContract: () => new AppError(409, 'subscription.by_contract', 'This plan is by contract, and changed by those who run the platform.'),
  notDue: () => new AppError(409, 'subscription.not_due', 'The plan is paid until the end of its period, and renewed then.'),
  changed: () => new AppError(409, 'subscription.changed', 'The plan was changed in this moment. Look at it, and ask again.'),
  nothingToRenew: () =>
    new AppError(409, 'subscription.nothing_to_renew', 'There is no plan to renew: POST /v1/billing/checkout takes one.'),
  notPaid: (why: string | null) => new AppError(402, 'payment.not_paid', why ?? 'The payment is not made yet.'),
  givenBack: () => new AppError(409, 'payment.given_back', 'What was paid for could not be given any more. The money goes back.'),
};
