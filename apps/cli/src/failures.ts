import { ApiError, ConnectionError, SignedOutError } from '@platform/client';
import { ExitCode } from './exit-codes.js';
import type { Settings } from './settings.js';
import { duration } from './text/times.js';
import { printable } from './text/printable.js';
import { escapedJson } from './text/escaped-json.js';

/** Commands that change the limits for automatic spending. */
export const LIMITS_COMMANDS = '`platform wallet limits --unattended <credits>` or `--other-apps <credits>`';

interface CommandErrorOptions extends ErrorOptions {
  /** Code for programs; derived from the exit code by default. */
  code?: string;
  /** More fields of the JSON error, for programs. */
  details?: Record<string, unknown>;
}

/** Ends a command with an error. `message` is for people and, if possible, says what to do next. */
export class CommandError extends Error {
  override name = 'CommandError';
  readonly code: string;
  readonly details: Record<string, unknown>;

  constructor(
    message: string,
    readonly exitCode: ExitCode = ExitCode.failure,
    { code, details = {}, ...options }: CommandErrorOptions = {},
  ) {
    super(message, options);
    this.code = code ?? CODES[exitCode];
    this.details = details;
  }
}

/** Error codes for programs, if no more specific code is known. */
const CODES: Record<ExitCode, string> = { 0: 'failed', 1: 'failed', 2: 'usage', 3: 'not_signed_in' };

export interface Failure {
  message: string;
  exitCode: ExitCode;
}

/**
 * Returns the message and exit code for any error. A missing login and an unreachable platform have
 * a message with advice. A refusal has the platform's text, with advice for some codes, 401 and a
 * time to wait. An unexpected error has its stack; one of the file system, only its message. The
 * exit code is 3 without a valid login or API key, that of a CommandError, or 1.
 */
export function describeFailure(error: unknown, settings: Settings): Failure {
  if (error instanceof CommandError) return { message: error.message, exitCode: error.exitCode };
  if (error instanceof SignedOutError) {
    const what =
      error.reason === 'no_tokens'
        ? `You are not signed in to ${settings.url}.`
        : `Your session at ${settings.url} has ended.`;
    return { message: `${what} Run \`${settings.loginCommand}\`.`, exitCode: ExitCode.notSignedIn };
  }
  if (error instanceof ApiError) return describeRefusal(error, settings);
  if (error instanceof ConnectionError) {
    const hint = error.reason === 'timeout' ? '' : ` ${settings.urlHint}`;
    return { message: `${error.message}${hint}`, exitCode: ExitCode.failure };
  }
  return { message: describeBug(error), exitCode: ExitCode.failure };
}

/**
 * The error for programs, as `--json` prints it: one line that always has `code`, `message` and
 * `exit_code`, with further facts such as the `status` and `request_id` of a refusal.
 */
export function failureJson(error: unknown, { message, exitCode }: Failure): string {
  const own = { code: codeOf(error, exitCode), message, exit_code: exitCode };
  return escapedJson({ error: { ...own, ...detailsOf(error), ...own } });
}

function codeOf(error: unknown, exitCode: ExitCode): string {
  if (error instanceof CommandError || error instanceof ApiError) return error.code;
  if (error instanceof SignedOutError) return 'not_signed_in';
  if (error instanceof ConnectionError) return error.reason;
  return error instanceof Error && 'syscall' in error
    ? 'file_system'
    : exitCode === ExitCode.usage
      ? 'usage'
      : 'internal';
}

function detailsOf(error: unknown): Record<string, unknown> {
  if (error instanceof CommandError) return error.details;
  if (!(error instanceof ApiError)) return {};
  const { status, requestId, retryAfterSeconds, issues, detail } = error;
  return {
    ...detail,
    status,
    request_id: requestId,
    retry_after_seconds: retryAfterSeconds,
    ...(issues.length && { issues }),
  };
}

/**
 * Commands to add to messages of the platform that name only routes, by error code. Advice that
 * depends on the app is added by the command itself.
 */
const ADVICE: Readonly<Record<string, string>> = {
  'developer.not_registered':
    'Run `platform deploy --nickname <name>`, or `platform apps create <app> --nickname <name>`.',
  'payout.not_in_tier': 'Choose a higher tier with PUT /v1/developer/tier.',
  'extension.price_changed': 'Run the same command again to see the new price.',
  'spending.limit_reached': `Change the limit with ${LIMITS_COMMANDS}.`,
};

function describeRefusal(error: ApiError, { loginCommand, apiKey }: Settings): Failure {
  const message = [printable(error.message), ADVICE[error.code]].filter(Boolean).join(' ');
  if (error.code === 'invalid_api_key')
    return { message: `${message} The key comes from PLATFORM_API_KEY.`, exitCode: ExitCode.notSignedIn };
  if (error.code === 'insufficient_scope' && apiKey) {
    return {
      message: `${message.replace(/\.?$/, '.')} The key comes from PLATFORM_API_KEY; docs/cli.md lists the scopes of each command.`,
      exitCode: ExitCode.failure,
    };
  }
  if (error.status === 401) return { message: `${message} Run \`${loginCommand}\`.`, exitCode: ExitCode.notSignedIn };
  if (error.retryAfterSeconds)
    return { message: `${message} (Try again in ${duration(error.retryAfterSeconds)}.)`, exitCode: ExitCode.failure };
  if (error.status >= 500 && error.requestId) {
    return { message: `${message} (Request ${printable(error.requestId)}.)`, exitCode: ExitCode.failure };
  }
  return { message, exitCode: ExitCode.failure };
}

/**
 * Returns the text of an unexpected error: the message of a file system error, which is clear in
 * one line; the stack of any other error, because it is a bug.
 */
function describeBug(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'syscall' in error ? error.message : (error.stack ?? error.message);
}
