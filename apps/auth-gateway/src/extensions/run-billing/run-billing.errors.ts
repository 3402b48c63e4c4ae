import { AppError } from '@platform/platform';

export const RunBillingErrors = {
  keyLacks: (scope: string) => new AppError(403, 'insufficient_scope', `The API key that led to this run was not given ${scope}.`),
  tooManyMeters: (most: number) =>
    new AppError(409, 'usage.too_many_meters', `An app has at most ${most} meters of a user in a period of their plan.`),
};
