import type { ValidationError } from './generated/auth-gateway.js';

export interface ApiErrorFields {
  status: number;
  code: string;
  issues?: readonly ValidationError[];
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
  oauthError?: string | undefined;
  detail?: Readonly<Record<string, unknown>> | undefined;
}

/** The platform refused the request. `message` gives the reason, for people. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  /** Reason for programs: `invalid_credentials`, `device_code.expired`. A code never changes. */
  readonly code: string;
  /** Errors in the input, if `status` is 422. */
  readonly issues: readonly ValidationError[];
  /** Id of the request, to quote in a problem report. */
  readonly requestId: string | undefined;
  /** Seconds to wait before the next try, if the platform gives them. */
  readonly retryAfterSeconds: number | undefined;
  /**
   * The field `error` of routes that follow OAuth 2.0: `access_denied`, `expired_token`,
   * `invalid_grant`.
   */
  readonly oauthError: string | undefined;
  /**
   * Further data of the answer, such as the `checks` of an app that cannot be submitted yet, or the
   * `price` and the `balance` of a call.
   */
  readonly detail: Readonly<Record<string, unknown>>;

  constructor(
    message: string,
    { status, code, issues = [], requestId, retryAfterSeconds, oauthError, detail = {} }: ApiErrorFields,
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.issues = issues;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
    this.oauthError = oauthError;
    this.detail = detail;
  }
}

/**
 * No answer of the platform arrived: it cannot be reached, was too slow, or another server
 * answered.
 */
export class ConnectionError extends Error {
  override name = 'ConnectionError';

  constructor(
    readonly reason: 'unreachable' | 'timeout' | 'not_the_platform',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * The user is not signed in, or the session has ended. Retries do not help; the user must log in
 * again.
 */
export class SignedOutError extends Error {
  override name = 'SignedOutError';

  constructor(readonly reason: 'no_tokens' | 'session_ended') {
    super(reason === 'no_tokens' ? 'You are not signed in.' : 'Your session has ended.');
  }
}

/**
 * True if the same request can succeed a moment later: no answer of the platform arrived (any
 * ConnectionError), or the status is 408, 429, or 500 and above.
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  return error instanceof ApiError && (error.status === 408 || error.status === 429 || error.status >= 500);
}
