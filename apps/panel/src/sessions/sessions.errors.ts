import { AppError } from '@platform/platform';

export const SessionErrors = {
  /** `setCookie` deletes an invalid cookie from the browser. */
  notSignedIn: (setCookie?: string) =>
    new AppError(401, 'not_signed_in', 'You are not signed in, or your session has ended. Sign in again.', {
      headers: { 'WWW-Authenticate': 'Cookie realm="panel"', ...(setCookie && { 'Set-Cookie': setCookie }) },
    }),
};
