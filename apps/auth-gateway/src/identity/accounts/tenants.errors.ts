import { AppError, ValidationFailed } from '@platform/platform';

const MANAGERS = "the platform's own administrators and backends";

export const TenantErrors = {
  notFound: () => new AppError(404, 'tenant.not_found', 'There is no such tenant.'),
  idTaken: (id: string) =>
    new AppError(409, 'tenant.id_taken', `A tenant with the id "${id}" exists already. Choose another id.`),
  isDefault: () => new AppError(409, 'tenant.is_default', "The platform's own tenant cannot be deleted."),
  defaultNeedsEmail: () =>
    new AppError(
      409,
      'tenant.default_needs_email',
      "The platform's own tenant must allow `email`, because its administrators sign in with it.",
    ),
  mayNotCreate: () =>
    new AppError(
      403,
      'tenant.may_not_create',
      `Only ${MANAGERS} can create tenants. Tenants that can resell can create tenants below their own.`,
    ),
  mayNotChange: () => new AppError(403, 'tenant.may_not_change', `Only ${MANAGERS} can do this.`),
  reserved: (fields: readonly string[]) =>
    new AppError(403, 'tenant.may_not_change', `Only ${MANAGERS} set ${fields.join(', ')}.`, { details: { fields } }),
  databaseMissing: () =>
    new ValidationFailed([
      { loc: ['body', 'db_config'], msg: 'Field required if isolation is "dedicated"', type: 'missing' },
    ]),
  databaseOfShared: () =>
    new ValidationFailed([
      {
        loc: ['body', 'db_config'],
        msg: 'A tenant with the isolation "shared" cannot have its own database',
        type: 'value_error',
      },
    ]),
  /** @param loc position of the tenant id in the request. */
  unknown: (loc: string[]) => new ValidationFailed([{ loc, msg: 'There is no such tenant', type: 'value_error' }]),
  noSuchParent: () => TenantErrors.unknown(['body', 'parent_tenant_id']),
  ownParent: () =>
    new ValidationFailed([
      { loc: ['body', 'parent_tenant_id'], msg: 'A tenant cannot be its own parent', type: 'value_error' },
    ]),
};
