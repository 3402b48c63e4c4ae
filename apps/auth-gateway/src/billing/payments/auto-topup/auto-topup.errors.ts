import { AppError } from '@platform/platform';

export const AutoTopUpErrors = {
  capTooSmall: () =>
    new AppError(
      400,
      'auto_topup.cap_too_small',
      'What may be paid in a month is no less than what may be paid in a day, and that no less than one top-up: recharge_cents, daily_cap_cents, monthly_cap_cents.',
    ),
};
