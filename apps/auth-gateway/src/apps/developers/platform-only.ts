import { runsPlatform, type Caller } from '@platform/guards';
import { DeveloperErrors } from './developers.errors.js';

/** Apps are the same for every tenant, so an administrator of one tenant does not decide about them. @throws AppError 403. */
export function assertRunsPlatform(caller: Caller): void {
  if (!runsPlatform(caller)) throw DeveloperErrors.platformOnly();
}
