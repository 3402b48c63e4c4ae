import { AppError, ValidationFailed } from '@platform/platform';

const invalid = (key: string, msg: string) => new ValidationFailed([{ loc: ['body', key], msg, type: 'value_error' }]);

export const UserErrors = {
  notFound: () => new AppError(404, 'user.not_found', 'There is no such user.'),
  noSuchRole: () => invalid('role', 'There is no such role'),
  noSuchAgency: () => invalid('agency_id', 'There is no such agency'),
};
