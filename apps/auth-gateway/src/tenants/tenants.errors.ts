import { AppError, ValidationFailed } from '@platform/platform';

const MANAGERS = "the platform's own administrators and trusted backends";

export const TenantErrors = {
  notFound: () => new AppError(404, 'tenant.not_found', 'There is no such tenant.'),
  idTaken: (id: string) => new AppError(409, 'tenant.id_taken', `A tenant with the id "${id}" exists.`),
  isDefault: () => new AppError(409, 'tenant.is_default', "The platform's own tenant cannot be deleted."),
  defaultNeedsEmail: () =>
    new AppError(409, 'tenant.default_needs_email', "The platform's own tenant keeps `email`: it is how its administrators sign in."),
  mayNotCreate: () =>
    new AppError(403, 'tenant.may_not_create', `Only ${MANAGERS} create tenants, or those who may resell below their own.`),
  mayNotChange: () => new AppError(403, 'tenant.may_not_change', `Only ${MANAGERS} may do this.`),
  reserved: (fields: readonly string[]) =>
    new AppError(403, 'tenant.may_not_change', `Only ${MANAGERS} set ${fields.join(', ')}.`, { details: { fields } }),
  noSuchParent: () => invalidParent('There is no such tenant'),
  ownParent: () => invalidParent('A tenant cannot stand below itself'),
};

const invalidParent = (msg: string) => new ValidationFailed([{ loc: ['body', 'parent_tenant_id'], msg, type: 'value_error' }]);
