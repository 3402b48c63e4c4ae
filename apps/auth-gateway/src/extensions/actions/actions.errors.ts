import { AppError } from '@platform/platform';

export const ActionErrors = {
  notFound: () => new AppError(404, 'action.not_found', 'There is no such action, or it is not yours.'),
  userNotFound: () => new AppError(404, 'user.not_found', 'There is no such user.'),
  otherTenant: () => new AppError(403, 'other_tenant', 'tenant_id names a tenant other than that of the user.'),
  pricesDiffer: () =>
    new AppError(409, 'action.prices_differ', 'The action with this trace_id is recorded with other prices.'),
  traceTaken: () => new AppError(409, 'action.trace_id_taken', 'Another action has this trace_id.'),
};
