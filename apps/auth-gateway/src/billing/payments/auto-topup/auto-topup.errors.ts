import { AppError } from '@platform/platform';

export const AutoTopUpErrors = {
  capTooSmall: () =>
    new AppError(
      400,
      'auto_topup.cap_too_small',
      'The caps are too small: recharge_cents must not exceed daily_cap_cents, and daily_cap_cents must not exceed monthly_cap_cents.',
    ),
};
