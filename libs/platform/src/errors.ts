import type { ErrorCode } from './error-codes.js';

/** What an error answer may carry beside its text. */
export interface AppErrorOptions {
  /** Further top-level keys of the body. */
  details?: Record<string, unknown>;
  headers?: Record<string, string>;
  cause?: unknown;
}

/**
 * A refusal that the caller may see: `message` becomes `detail` of the answer, so write it for a person. Everything else
 * that is thrown answers 500 and says nothing.
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

/** One thing that is wrong with the input, in the vocabulary of pydantic v2. `loc` begins with body, query, path or header. */
export interface ValidationIssue {
  loc: (string | number)[];
  msg: string;
  type: string;
}

/** How many issues an answer has at most. */
export const MAX_ISSUES = 50;
/** Of a key that is not known. */
export const NOT_PERMITTED = { msg: 'Extra inputs are not permitted', type: 'extra_forbidden' };

/** Answers 422 with every issue at once. */
export class ValidationFailed extends Error {
  override name = 'ValidationFailed';

  constructor(readonly issues: ValidationIssue[]) {
    super('The request does not validate.');
  }
}

export const Errors = {
  rateLimited: (retryAfterSeconds: number) =>
    new AppError(429, 'rate_limited', 'Too many requests. Try again later.', { headers: retryAfter(retryAfterSeconds) }),
  /** Whatever else than too many requests has a limit. It says when another attempt may be worth it, like every 429. */
  limited: (code: ErrorCode, message: string, retryAfterSeconds: number, details: Record<string, unknown> = {}) =>
    new AppError(429, code, message, { headers: retryAfter(retryAfterSeconds), details }),
  malformedRequest: (status = 400) => new AppError(status, 'malformed_request', 'The request is malformed.'),
  unavailable: (cause?: unknown) =>
    new AppError(503, 'unavailable', 'The service is busy or not ready. Try again in a moment.', { headers: retryAfter(1), cause }),
};

function retryAfter(seconds: number): Record<string, string> {
  return { 'Retry-After': String(Math.max(1, Math.ceil(seconds))) };
}
