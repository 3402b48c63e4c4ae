import { AppError, ValidationFailed } from '@platform/platform';

export const ScopeErrors = {
  notFound: () => new AppError(404, 'scope.not_found', 'There is no such scope.'),
  nameTaken: (name: string) =>
    new AppError(409, 'scope.name_taken', `A scope named "${name}" exists already. Choose another action.`),
  otherName: (name: string) => invalid('name', `The name must be resource:action or be left out; here it is ${name}`),
  platformResource: (resource: string) =>
    invalid('resource', `The resource ${resource} belongs to the platform. Choose another resource`),
  platformSource: () => invalid('source', 'Only scopes for every tenant can have the source "platform"'),
  otherTenant: () =>
    new AppError(
      403,
      'other_tenant',
      'Only platform administrators can create scopes for other tenants or for every tenant. Leave tenant_id out.',
    ),
  inUse: () =>
    new AppError(409, 'scope.in_use', 'Roles or users hold this scope, or are denied it. Remove it from them first.'),
  systemProtected: () =>
    new AppError(403, 'scope.system', 'This scope belongs to the platform. It cannot be changed or deleted.'),
};

const invalid = (field: string, msg: string) =>
  new ValidationFailed([{ loc: ['body', field], msg, type: 'value_error' }]);
