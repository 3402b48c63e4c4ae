import type { ErrorCode } from './error-codes.js';

/** Optional parts of an error response. */
export interface AppErrorOptions {
  /** Further top-level keys of the body. */
  details?: Record<string, unknown>;
  headers?: Record<string, string>;
  cause?: unknown;
}

/**
 * An error that the caller sees: the response has its `status`, `code` and `headers`, and `message`
 * as its `detail`, so write it for a person. An error of no known class answers 500 without
 * details.
 */
export class AppError extends Error {
  override name = 'AppError';

  constructor(
    readonly status: number,
    readonly code: ErrorCode,
    message: string,
    readonly options: AppErrorOptions = {},
  ) {
    super(message, { cause: options.cause });
  }
}

/**
 * A fault of the input, in the vocabulary of pydantic v2. `loc` begins with body, query, path or
 * header.
 */
export interface ValidationIssue {
  loc: (string | number)[];
  msg: string;
  type: string;
}

/** Maximum number of issues in one response. */
export const MAX_ISSUES = 50;
/** Issue of an unknown key. */
export const NOT_PERMITTED = { msg: 'Extra inputs are not permitted', type: 'extra_forbidden' };

/**
 * The input of a request is not valid. The response is 422 `validation_failed` with the list of
 * issues.
 */
export class ValidationFailed extends Error {
  override name = 'ValidationFailed';

  constructor(readonly issues: ValidationIssue[]) {
    super('The request does not validate.');
  }
}

export const Errors = {
  rateLimited: (retryAfterSeconds: number) =>
    new AppError(429, 'rate_limited', 'Too many requests. Try again later.', {
      headers: retryAfter(retryAfterSeconds),
    }),
  /**
   * Makes a 429 with this code for a limit other than the rate limit. `retryAfterSeconds` becomes
   * the header `Retry-After`, which every 429 has.
   */
  limited: (code: ErrorCode, message: string, retryAfterSeconds: number, details: Record<string, unknown> = {}) =>
    new AppError(429, code, message, { headers: retryAfter(retryAfterSeconds), details }),
  malformedRequest: (status = 400) => new AppError(status, 'malformed_request', 'The request is malformed.'),
  unavailable: (cause?: unknown) =>
    new AppError(503, 'unavailable', 'The service is busy or not ready. Try again in a moment.', {
      headers: retryAfter(1),
      cause,
    }),
};

function retryAfter(seconds: number): Record<string, string> {
  return { 'Retry-After': String(Math.max(1, Math.ceil(seconds))) };
}
