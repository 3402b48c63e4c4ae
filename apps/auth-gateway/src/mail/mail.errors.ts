import { AppError } from '@platform/platform';

export const MailErrors = {
  invalidToken: () => new AppError(400, 'invalid_or_expired_token', 'This link was used already, or it has expired. Ask for a new one.'),
};
