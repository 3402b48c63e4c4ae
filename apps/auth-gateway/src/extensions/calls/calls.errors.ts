import { AppError } from '@platform/platform';

export const CallErrors = {
  notFound: () => new AppError(404, 'extension.not_found', 'You have no extension of this name installed.'),
  disabled: () => new AppError(403, 'extension.disabled', 'This extension is disabled for you. Enable it first.'),
  closed: () => new AppError(403, 'extension.access_denied', 'You have not been given access to this extension.'),
  otherTenant: () => new AppError(403, 'other_tenant', 'tenant_id names a tenant other than that of the user.'),
  runtimeUnavailable: () => new AppError(501, 'function_runtime_unavailable', 'Functions of deployed apps do not run yet.'),
};
