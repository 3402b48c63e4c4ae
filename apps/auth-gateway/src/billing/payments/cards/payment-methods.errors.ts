import { AppError } from '@platform/platform';

export const PaymentMethodErrors = {
  notFound: () => new AppError(404, 'payment_method.not_found', 'There is no such card.'),
  lastOfPlan: () =>
    new AppError(
      409,
      'payment_method.last_of_plan',
      'This card pays for your plan. Save another card first, or cancel the plan with POST /v1/billing/cancel.',
    ),
};
