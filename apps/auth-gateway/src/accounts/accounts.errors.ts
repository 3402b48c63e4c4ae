import { AppError, ValidationFailed } from '@platform/platform';

export const AccountErrors = {
  noSuchTenant: () => new ValidationFailed([{ loc: ['body', 'tenant_id'], msg: 'There is no such tenant', type: 'value_error' }]),
  emailTaken: () => new AppError(409, 'email_taken', 'A user of this tenant has this e-mail address already.'),
};
