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

/** The platform refused. `message` says why, for a person. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  /** What went wrong, for a program: `invalid_credentials`, `device_code.expired`. A code never changes. */
  readonly code: string;
  /** What is wrong with the input, when `status` is 422. */
  readonly issues: readonly ValidationError[];
  /** To be quoted in a report of the problem. */
  readonly requestId: string | undefined;
  /** How long to wait before the next try, when the platform says so. */
  readonly retryAfterSeconds: number | undefined;
  /** The `error` of the routes that follow OAuth 2.0: `access_denied`, `expired_token`, `invalid_grant`. */
  readonly oauthError: string | undefined;
  /** What a refusal says beside its message, such as the `checks` of an app that cannot be submitted yet, or the `price` and the `balance` of a call. */
  readonly detail: Readonly<Record<string, unknown>>;

  constructor(message: string, { status, code, issues = [], requestId, retryAfterSeconds, oauthError, detail = {} }: ApiErrorFields) {
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

/** There is no answer of the platform: it cannot be reached, was too slow, or something else answered in its place. */
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

/** Nobody is signed in, or the session has ended. Only a new login helps. */
export class SignedOutError extends Error {
  override name = 'SignedOutError';

  constructor(readonly reason: 'no_tokens' | 'session_ended') {
    super(reason === 'no_tokens' ? 'You are not signed in.' : 'Your session has ended.');
  }
}

/** Whether the same request may succeed a moment later. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  return error instanceof ApiError && (error.status === 408 || error.status === 429 || error.status >= 500);
}
