import { AppError } from '@platform/platform';

export const AppLogErrors = {
  afterInvalid: () => new AppError(400, 'logs.after_invalid', 'after is the `next` of an earlier answer.'),
};
