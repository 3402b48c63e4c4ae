import { ApiError, ConnectionError } from '@platform/client';

/** Whether this says something about the service that was called, and not about the request. */
export const isOutage = (error: unknown): boolean => error instanceof ConnectionError || (error instanceof ApiError && error.status >= 500);
