import { AppError } from '@platform/platform';

export const SignupErrors = {
  ambiguous: () =>
    new AppError(
      409,
      'signup.ambiguous',
      'More than one signup with this address waits. Send the password or the status token of the signup that the link is of.',
    ),
};
