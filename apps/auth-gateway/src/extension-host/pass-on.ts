import { ApiError } from '@platform/client';
import { AppError, type ErrorCode } from '@platform/platform';

/** What the host refuses is refused here in its words; its own faults are ExtensionHostUnavailable already. */
export async function passOn<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    // The host names its codes as the gateway does.
    throw error instanceof ApiError ? new AppError(error.status, error.code as ErrorCode, error.message) : error;
  });
}
