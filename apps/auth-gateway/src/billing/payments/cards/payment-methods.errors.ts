import { AppError } from '@platform/platform';

export const PaymentMethodErrors = {
  notFound: () => new AppError(404, 'payment_method.not_found', 'There is no such card.'),
  lastOfPlan: () =>
    new AppError(
      409,
      'payment_method.last_of_plan',
      'This card pays your plan. Save another one first, or cancel the plan by POST /v1/billing/cancel.',
    ),
};
