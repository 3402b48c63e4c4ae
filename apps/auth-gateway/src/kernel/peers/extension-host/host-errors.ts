import { ApiError } from '@platform/client';
import { AppError, isErrorCode, ServiceUnavailable } from '@platform/platform';

/**
 * Waits for a call of the host and returns its result. A refusal of the host (ApiError) becomes an
 * AppError with the same status, code and message, for our caller. Other errors stay as they are.
 *
 * @throws AppError if the host refuses; ServiceUnavailable if the code of the refusal is unknown,
 * because another program answered then, such as a proxy.
 */
export async function forwardHostErrors<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    const { status, code, message } = error;
    throw isErrorCode(code) ? new AppError(status, code, message) : new ServiceUnavailable('extension_host', error);
  });
}
