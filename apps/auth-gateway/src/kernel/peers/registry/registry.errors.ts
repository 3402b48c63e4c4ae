import { ApiError } from '@platform/client';
import type { ErrorCode } from '@platform/platform';

/**
 * True if the Registry refused with this code: `app.not_found`, `app.exists`,
 * `precondition_failed`, …
 */
export const isRefusedWith = (error: unknown, code: ErrorCode): boolean => error instanceof ApiError && error.code === code;
