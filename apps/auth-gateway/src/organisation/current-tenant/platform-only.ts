import { runsPlatform, type Caller } from '@platform/guards';
import { AppError } from '@platform/platform';

const platformOnly = () =>
  new AppError(403, 'insufficient_scope', "Only the platform's own administrators and trusted backends may do this.");

/**
 * For what is the same for every tenant, such as apps and credits, so that an administrator of one tenant does not decide about it.
 *
 * @throws AppError 403.
 */
export function assertRunsPlatform(caller: Caller): void {
  if (!runsPlatform(caller)) throw platformOnly();
}
