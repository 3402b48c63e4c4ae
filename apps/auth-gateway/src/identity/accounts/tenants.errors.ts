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
  databaseMissing: () =>
    new ValidationFailed([{ loc: ['body', 'db_config'], msg: 'Field required with the isolation dedicated', type: 'missing' }]),
  databaseOfShared: () =>
    new ValidationFailed([{ loc: ['body', 'db_config'], msg: 'A shared tenant has no database of its own', type: 'value_error' }]),
  /** @param loc where the request names it. */
  unknown: (loc: string[]) => new ValidationFailed([{ loc, msg: 'There is no such tenant', type: 'value_error' }]),
  noSuchParent: () => TenantErrors.unknown(['body', 'parent_tenant_id']),
  ownParent: () =>
    new ValidationFailed([{ loc: ['body', 'parent_tenant_id'], msg: 'A tenant cannot stand below itself', type: 'value_error' }]),
};
