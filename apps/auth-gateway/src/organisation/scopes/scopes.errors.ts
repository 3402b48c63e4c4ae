import { AppError, ValidationFailed } from '@platform/platform';

export const ScopeErrors = {
  notFound: () => new AppError(404, 'scope.not_found', 'There is no such scope.'),
  nameTaken: (name: string) => new AppError(409, 'scope.name_taken', `A scope named "${name}" exists.`),
  otherName: (name: string) => invalid('name', `The name of this scope is ${name}`),
  platformResource: (resource: string) => invalid('resource', `The resource ${resource} is the platform's`),
  platformSource: () => invalid('source', 'Only the platform itself is this source'),
  otherTenant: () =>
    new AppError(
      403,
      'other_tenant',
      'Scopes of other tenants, and of every tenant, are made by who runs the platform. Leave tenant_id out.',
    ),
  inUse: () => new AppError(409, 'scope.in_use', 'Roles or users hold this scope. Take it from them first.'),
  systemProtected: () => new AppError(403, 'scope.system', 'This scope belongs to the platform.'),
};

const invalid = (field: string, msg: string) => new ValidationFailed([{ loc: ['body', field], msg, type: 'value_error' }]);
