import { AppError } from '@platform/platform';

export const RegistrationErrors = {
  tenantDeleted: () =>
    new AppError(
      409,
      'tenant.deleted',
      'This tenant is deleted, so no users can be created in it. Activate the tenant first.',
    ),
  emailTaken: () => new AppError(409, 'user.email_taken', 'A user of this tenant has this e-mail address already.'),
};
