import { ApiError } from '@platform/client';
import type { ErrorCode } from '@platform/platform';

/**
 * True if the error is a refusal (ApiError) of the Registry, or of another service, with this code,
 * such as `app.not_found`. False for every other error, also for an outage.
 */
export const isRefusedWith = (error: unknown, code: ErrorCode): boolean =>
  error instanceof ApiError && error.code === code;
