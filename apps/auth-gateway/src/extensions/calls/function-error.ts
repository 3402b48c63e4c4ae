import type { CallResponse } from '@platform/contracts';
import { AppError, currentContext, isUnreachable, ValidationFailed } from '@platform/platform';

export interface FunctionErrorOptions {
  /** True if the same call can succeed later. */
  retryable?: boolean;
  data?: unknown;
}

/**
 * Failure of a function that its caller should know about. The answer is 200 with status `error`.
 */
export class FunctionError extends Error {
  override name = 'FunctionError';

  /** @param code matches `^[A-Z][A-Z0-9_]{2,63}$`; never changes after its release. */
  constructor(
    readonly code: string,
    message: string,
    readonly options: FunctionErrorOptions = {},
  ) {
    super(message);
  }
}

export const FunctionErrors = {
  unknown: (appId: string, name: string) =>
    new FunctionError('UNKNOWN_SUB_FUNCTION', `${appId} has no function "${name}".`),
  unavailable: (reason: string) => new FunctionError('FUNCTION_NOT_AVAILABLE', reason),
  permissionDenied: (scopes: readonly string[]) =>
    new FunctionError('PERMISSION_DENIED', `This function needs scopes that you do not have: ${scopes.join(', ')}.`),
  /**
   * Error for a call that needs scopes which an API key does not have: the calling key, or one that
   * led to the call.
   */
  keyLacks: (scopes: readonly string[]) =>
    new FunctionError(
      'PERMISSION_DENIED',
      `This function needs scopes that the API key behind the call does not have: ${scopes.join(', ')}.`,
    ),
  noDocument: () =>
    new FunctionError(
      'FUNCTION_NOT_AVAILABLE',
      'This version of the app was deployed without a document, so it does not run here.',
    ),
  notExposed: (scopes: readonly string[]) =>
    new FunctionError('PERMISSION_DENIED', `A call from another app needs ${scopes.join(' or ')}.`),
  needsUser: () =>
    new FunctionError('PERMISSION_DENIED', 'This function needs scopes, and a call without a user has none.'),
  cycle: (next: string) => new FunctionError('CALL_CYCLE', `${next} is among the functions that led to this call.`),
  tooDeep: (most: number) => new FunctionError('CALL_TOO_DEEP', `Functions can call each other ${most} deep.`),
  /**
   * Error for a function that moves money, which only a person can do. `data` has the address in
   * the panel where the user can do it.
   */
  inPanel: ({ panelUrl, summary }: { panelUrl: string; summary: string }) =>
    new FunctionError(
      'MONEY_RELEASE_DENIED',
      `This moves money, so it needs a browser. Do it in the panel: ${panelUrl}`,
      {
        data: { panel_url: panelUrl, summary },
      },
    ),
  callerGone: () => new FunctionError('CANCELLED', 'The caller disconnected.'),
  timeout: (seconds: number) =>
    new FunctionError('BACKEND_TIMEOUT', `The function did not answer within ${seconds} seconds. Try again.`, {
      retryable: true,
    }),
};

export const successResponse = ({
  data = null,
  summary,
  ui = null,
}: {
  data?: unknown;
  summary?: string;
  ui?: unknown;
}): CallResponse => ({
  status: 'success',
  data,
  summary: summary ?? null,
  error: null,
  ui,
  error_code: null,
  retryable: false,
});

/**
 * Refusal of a call before it ran, because of its price, the user's credits or limits, or too many
 * abandoned calls. A route for one call answers with `response`; other routes answer with a failed
 * item.
 */
export class CallRefusal extends FunctionError {
  override name = 'CallRefusal';

  constructor(
    code: string,
    readonly response: AppError,
    data: Record<string, unknown>,
    retryable = false,
  ) {
    super(code, response.message, { data, retryable });
  }
}

const refusals = new WeakMap<CallResponse, AppError>();

/**
 * Returns the error with which a route for one call responds, if the call was refused with a
 * `CallRefusal`. Null for any other answer, also for a call that did not run because of a missing
 * permission or invalid params. `answer` must be the object that `failureResponse` returned, not a
 * copy.
 */
export const refusalOf = (answer: CallResponse): AppError | null => refusals.get(answer) ?? null;

/** Answers for a limit of the gateway (429). */
const gatewayLimits = new WeakSet<CallResponse>();

/**
 * True if a limit of the gateway refused the call with 429. `answer` must be the object that
 * `failureResponse` returned, not a copy. Limits that an app reports do not count.
 */
export const isGatewayLimit = (answer: CallResponse): boolean => gatewayLimits.has(answer);

/**
 * Answer to the caller for an error that a function threw. Unexpected errors are logged, and the
 * answer does not contain their text.
 */
export function failureResponse(thrown: unknown): CallResponse {
  const { code, message, options } = toFunctionError(thrown);
  const answer: CallResponse = {
    status: 'error',
    data: options.data ?? null,
    summary: null,
    error: message,
    ui: null,
    error_code: code,
    retryable: options.retryable ?? false,
  };
  if (thrown instanceof CallRefusal) refusals.set(answer, thrown.response);
  if ((refusalOf(answer) ?? (thrown instanceof AppError ? thrown : null))?.status === 429) gatewayLimits.add(answer);
  return answer;
}

function toFunctionError(thrown: unknown): FunctionError {
  if (thrown instanceof FunctionError) return thrown;
  if (thrown instanceof AppError) {
    return new FunctionError(codeOf(thrown), thrown.message, {
      retryable: thrown.status === 429 || thrown.status >= 500,
    });
  }
  if (thrown instanceof ValidationFailed) {
    const isMissing = thrown.issues.every(({ type }) => type === 'missing');
    const message = thrown.issues
      .map(({ loc, msg }) => [loc.slice(1).join('.'), msg].filter(Boolean).join(': '))
      .join('; ');
    return new FunctionError(isMissing ? 'VALIDATION_MISSING_FIELD' : 'VALIDATION_TYPE_ERROR', message);
  }
  const context = currentContext();
  context?.log.error({ err: thrown }, 'a function failed unexpectedly');
  if (isUnreachable(thrown)) {
    return new FunctionError('BACKEND_5XX', 'A server that this function needs is unavailable. Try again.', {
      retryable: true,
    });
  }
  return new FunctionError('INTERNAL', `Something went wrong on our side${context ? ` (${context.requestId})` : ''}.`);
}

/** `app.not_found` becomes `APP_NOT_FOUND`. Errors with status 500 or above share one code. */
const codeOf = ({ status, code }: AppError): string =>
  status >= 500 ? 'BACKEND_5XX' : code.toUpperCase().replace(/[^A-Z0-9]+/g, '_');
