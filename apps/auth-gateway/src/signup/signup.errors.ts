import { AppError, ValidationFailed } from '@platform/platform';

export const SignupErrors = {
  noSuchTenant: () => new ValidationFailed([{ loc: ['body', 'tenant_id'], msg: 'There is no such tenant', type: 'value_error' }]),
  invalidToken: () => new AppError(400, 'invalid_or_expired_token', 'This link was used already, or it has expired. Ask for a new one.'),
};
