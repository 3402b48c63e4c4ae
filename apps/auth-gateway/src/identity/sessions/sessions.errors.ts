import { AppError } from '@platform/platform';

export const SessionErrors = {
  /** Answer to every invalid refresh token. Clients understand it as "signed out". */
  invalidRefreshToken: () =>
    new AppError(401, 'invalid_refresh_token', 'The session has ended. Sign in again.', {
      headers: { 'WWW-Authenticate': 'Bearer realm="gateway", error="invalid_token"' },
    }),
  notFound: () => new AppError(404, 'session.not_found', 'There is no such session.'),
};
