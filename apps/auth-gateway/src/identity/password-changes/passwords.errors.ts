import { AppError } from '@platform/platform';

export const PasswordErrors = {
  currentPasswordInvalid: () => new AppError(400, 'password.current_invalid', 'The current password is wrong.'),
  unchanged: () =>
    new AppError(400, 'password.unchanged', 'The new password is the same as the current one. Choose another one.'),
};
