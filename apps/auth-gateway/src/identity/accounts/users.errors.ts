import { AppError, ValidationFailed } from '@platform/platform';

const invalid = (key: string, msg: string) => new ValidationFailed([{ loc: ['body', key], msg, type: 'value_error' }]);

export const UserErrors = {
  notFound: () => new AppError(404, 'user.not_found', 'There is no such user.'),
  unconfirmed: () =>
    new AppError(409, 'user.unconfirmed', 'Nobody has confirmed the address of this user. Create the user, or let them sign up again.'),
  noSuchRole: () => invalid('role', 'There is no such role'),
  noSuchAgency: () => invalid('agency_id', 'There is no such agency'),
};
