import { AppError } from '@platform/platform';

export const SignupErrors = {
  ambiguous: () =>
    new AppError(
      409,
      'signup.ambiguous',
      'Several signups with this address wait for confirmation. Also send the password or the status_token of the signup to which this link belongs.',
    ),
};
