import { isPlatformAdmin, type Caller } from '@platform/guards';
import { AppError } from '@platform/platform';

const platformOnly = () =>
  new AppError(403, 'insufficient_scope', "Only the platform's own administrators and backends can do this.");

/**
 * Checks that the caller can change data that all tenants share, such as apps and credits: a
 * backend for itself, or an administrator of the platform's own tenant, also through a backend.
 *
 * @throws AppError 403 `insufficient_scope` for all others, such as administrators of another
 * tenant.
 */
export function assertPlatformCaller(caller: Caller): void {
  if (!isPlatformAdmin(caller)) throw platformOnly();
}
