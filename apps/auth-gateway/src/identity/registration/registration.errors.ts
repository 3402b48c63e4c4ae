import { AppError } from '@platform/platform';

export const RegistrationErrors = {
  tenantDeleted: () => new AppError(409, 'tenant.deleted', 'This tenant was deleted, so nobody is made in it. Bring it back first.'),
  emailTaken: () => new AppError(409, 'user.email_taken', 'A user of this tenant has this e-mail address already.'),
};
