import { AppError } from '@platform/platform';

export const AppLogErrors = {
  afterInvalid: () => new AppError(400, 'logs.after_invalid', 'after must be the `next` of an earlier answer.'),
};
