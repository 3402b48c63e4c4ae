import { AppError } from '@platform/platform';

export const RunBillingErrors = {
  keyLacks: (scope: string) =>
    new AppError(403, 'insufficient_scope', `The API key that led to this run does not have the scope ${scope}.`),
  tooManyMeters: (most: number) =>
    new AppError(
      409,
      'usage.too_many_meters',
      `An app can use at most ${most} meters per user in one period of the user's plan.`,
    ),
};
