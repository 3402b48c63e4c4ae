import { ApiError } from '@platform/client';
import { AppError, isErrorCode, ServiceUnavailable } from '@platform/platform';

/**
 * What the host refuses is refused here in its words; its own faults are ServiceUnavailable already, and so is an answer of something
 * else in its place, such as a proxy.
 */
export async function passOn<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    const { status, code, message } = error;
    throw isErrorCode(code) ? new AppError(status, code, message) : new ServiceUnavailable('extension_host', error);
  });
}
