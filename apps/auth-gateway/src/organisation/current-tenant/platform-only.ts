import { runsPlatform, type Caller } from '@platform/guards';
import { AppError } from '@platform/platform';

const platformOnly = () => new AppError(403, 'insufficient_scope', "Only the platform's own administrators and backends can do this.");

/**
 * Protects data that all tenants share, such as apps and credits: administrators of one tenant
 * cannot change it.
 *
 * @throws AppError 403.
 */
export function assertRunsPlatform(caller: Caller): void {
  if (!runsPlatform(caller)) throw platformOnly();
}
