import { AppError } from '@platform/platform';

export const LoginErrors = {
  invalidCredentials: () =>
    new AppError(401, 'invalid_credentials', 'Invalid e-mail or password', {
      headers: { 'WWW-Authenticate': 'Bearer realm="gateway"' },
    }),
};
