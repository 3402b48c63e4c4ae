import { AppError, ValidationFailed } from '@platform/platform';

const invalid = (key: string, msg: string) => new ValidationFailed([{ loc: ['body', key], msg, type: 'value_error' }]);

export const UserErrors = {
  notFound: () => new AppError(404, 'user.not_found', 'There is no such user.'),
  unconfirmed: () =>
    new AppError(
      409,
      'user.unconfirmed',
      'The e-mail address of this user is not confirmed. Create the user again, or ask them to sign up again.',
    ),
  noSuchRole: () => invalid('role', 'There is no such role'),
  noSuchAgency: () => invalid('agency_id', 'There is no such agency'),
};
