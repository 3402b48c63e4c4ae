import type { CallResponse } from '@platform/contracts';
import { AppError, currentContext, isUnreachable, ValidationFailed } from '@platform/platform';

export interface FunctionErrorOptions {
  /** Whether the same call may succeed later. */
  retryable?: boolean;
  data?: unknown;
}

/** A function failed in a way that its caller should know of: a 200 with status `error`. */
export class FunctionError extends Error {
  override name = 'FunctionError';

  /** @param code `^[A-Z][A-Z0-9_]{2,63}$`; never changes once it is shipped. */
  constructor(
    readonly code: string,
    message: string,
    readonly options: FunctionErrorOptions = {},
  ) {
    super(message);
  }
}

export const FunctionErrors = {
  unknown: (appId: string, name: string) => new FunctionError('UNKNOWN_SUB_FUNCTION', `${appId} has no function "${name}".`),
  unavailable: (reason: string) => new FunctionError('FUNCTION_NOT_AVAILABLE', reason),
  permissionDenied: (scopes: readonly string[]) =>
    new FunctionError('PERMISSION_DENIED', `This function needs what you do not hold: ${scopes.join(', ')}.`),
  /** The key that calls, or from whose call this one follows. */
  keyLacks: (scopes: readonly string[]) =>
    new FunctionError('PERMISSION_DENIED', `This function needs what the API key behind the call was not given: ${scopes.join(', ')}.`),
  noDocument: () =>
    new FunctionError('FUNCTION_NOT_AVAILABLE', 'This version of the app was deployed without a document, so it does not run here.'),
  notExposed: (scopes: readonly string[]) =>
    new FunctionError('PERMISSION_DENIED', `A call from another app needs ${scopes.join(' or ')}.`),
  needsUser: () => new FunctionError('PERMISSION_DENIED', 'This function needs scopes, which a call for no user has not.'),
  cycle: (next: string) => new FunctionError('CALL_CYCLE', `${next} is among the functions that led to this call.`),
  tooDeep: (most: number) => new FunctionError('CALL_TOO_DEEP', `Functions may call each other ${most} deep.`),
  /** No program moves money. `data` says where its user does it. */
  inPanel: ({ panelUrl, summary }: { panelUrl: string; summary: string }) =>
    new FunctionError('MONEY_RELEASE_DENIED', `Money is released in a browser. Do this in the panel: ${panelUrl}`, {
      data: { panel_url: panelUrl, summary },
    }),
  callerGone: () => new FunctionError('CANCELLED', 'Whoever called has gone.'),
  timeout: (seconds: number) =>
    new FunctionError('BACKEND_TIMEOUT', `The function did not answer within ${seconds} seconds. Try again.`, { retryable: true }),
};

export const succeeded = ({ data = null, summary, ui = null }: { data?: unknown; summary?: string; ui?: unknown }): CallResponse => ({
  status: 'success',
  data,
  summary: summary ?? null,
  error: null,
  ui,
  error_code: null,
  retryable: false,
});

/** Refused before anything ran. A route for one call answers with `response`, the others with an item that failed. */
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

/** How a route for one call answers instead, where this very answer of `failed` is of a call that was refused before anything ran. */
export const refusalOf = (answer: CallResponse): AppError | null => refusals.get(answer) ?? null;

/** The answers that say that a limit of the gateway was reached. */
const ownLimits = new WeakSet<CallResponse>();

/** Whether this very answer of `failed` says that the gateway itself refused, since a limit was reached (429). What an app says does not count. */
export const isOwnLimit = (answer: CallResponse): boolean => ownLimits.has(answer);

/** Whatever a function threw, as its caller sees it. What nobody expected is logged and says nothing. */
export function failed(thrown: unknown): CallResponse {
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
  if ((refusalOf(answer) ?? (thrown instanceof AppError ? thrown : null))?.status === 429) ownLimits.add(answer);
  return answer;
}

function toFunctionError(thrown: unknown): FunctionError {
  if (thrown instanceof FunctionError) return thrown;
  if (thrown instanceof AppError) {
    return new FunctionError(codeOf(thrown), thrown.message, { retryable: thrown.status === 429 || thrown.status >= 500 });
  }
  if (thrown instanceof ValidationFailed) {
    const isMissing = thrown.issues.every(({ type }) => type === 'missing');
    const message = thrown.issues.map(({ loc, msg }) => [loc.slice(1).join('.'), msg].filter(Boolean).join(': ')).join('; ');
    return new FunctionError(isMissing ? 'VALIDATION_MISSING_FIELD' : 'VALIDATION_TYPE_ERROR', message);
  }
  const context = currentContext();
  context?.log.error({ err: thrown }, 'a function failed unexpectedly');
  if (isUnreachable(thrown)) {
    return new FunctionError('BACKEND_5XX', 'A server that this function needs is unavailable. Try again.', { retryable: true });
  }
  return new FunctionError('INTERNAL', `Something went wrong on our side${context ? ` (${context.requestId})` : ''}.`);
}

/** `app.not_found` → `APP_NOT_FOUND`; an upstream that fails has one code for all. */
const codeOf = ({ status, code }: AppError): string => (status >= 500 ? 'BACKEND_5XX' : code.toUpperCase().replace(/[^A-Z0-9]+/g, '_'));
