import { ApiError } from '@platform/client';
import { AppError, isErrorCode, ServiceUnavailable } from '@platform/platform';

/**
 * Turns a refusal of the host into the same error for our caller. An unknown code means that
 * another program answered, such as a proxy, and becomes ServiceUnavailable. Failures of the host
 * itself are ServiceUnavailable already.
 */
export async function passOn<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    const { status, code, message } = error;
    throw isErrorCode(code) ? new AppError(status, code, message) : new ServiceUnavailable('extension_host', error);
  });
}
