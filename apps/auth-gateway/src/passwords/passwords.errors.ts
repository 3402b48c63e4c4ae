import { AppError } from '@platform/platform';

export const PasswordErrors = {
  currentPasswordInvalid: () => new AppError(400, 'current_password_invalid', 'The current password is wrong.'),
  unchanged: () => new AppError(400, 'password_unchanged', 'The new password is the current one.'),
  invalidToken: () => new AppError(400, 'invalid_or_expired_token', 'This link was used already, or it has expired. Ask for a new one.'),
};
