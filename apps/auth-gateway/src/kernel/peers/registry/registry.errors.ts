import { ApiError } from '@platform/client';
import { AppError, type ErrorCode } from '@platform/platform';

const RETRY_AFTER_SECONDS = 5;

/** The Registry cannot be reached, is too slow, or fails. Reads that have a copy answer from it; whatever lets it pass answers 503. */
export class RegistryUnavailable extends AppError {
  override name = 'RegistryUnavailable';

  constructor(cause: unknown) {
    super(503, 'registry_unavailable', 'The app registry cannot be reached at the moment. Try again in a few seconds.', {
      headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
      cause,
    });
  }
}

/** Whether the Registry refused with this code: `app.not_found`, `app.exists`, `precondition_failed`, … */
export const isRefusedWith = (error: unknown, code: ErrorCode): boolean => error instanceof ApiError && error.code === code;
