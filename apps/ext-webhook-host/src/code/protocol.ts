import { truncateText, hasAtMost } from '@platform/contracts/text-lengths';

/** A module of an app, as in the app's document. */
export interface CodeModule {
  source: string;
  source_map: string | null;
}
export type CodeModules = Readonly<Record<string, CodeModule>>;

/**
 * A run, as the child process gets it. All data of the app and of other systems is text: JSON that
 * only the sandbox parses.
 */
export interface RunMessage {
  type: 'run';
  run: number;
  /**
   * App of the run. Runs of one app wait for each other before they wait for runs of other apps.
   */
  app: string;
  /**
   * Members of the context that the kind of the run does not have, or that the version may not use.
   */
  unavailable: readonly string[];
  /** Hash of the modules. */
  code: string;
  /** Sent only if the child does not have them. */
  modules?: CodeModules | undefined;
  /** Hashes of modules that the child can drop. */
  forget?: string[] | undefined;
  module: string;
  /** Export of the module that is the handler. */
  entry: string;
  /** First argument of the handler, as JSON. */
  event: string;
  /** Keys of the first argument that are requested when the handler reads them. */
  lazyEvent: string[];
  /** JSON of `{app, user}` of the context, and the `kind` of the run. */
  known: string;
  cpuMs: number;
}

export type ToChild =
  | RunMessage
  /** `text` is the JSON of a value or an error; empty for undefined. */
  | { type: 'answer'; run: number; call: number; ok: boolean; text: string }
  | { type: 'stop'; run: number }
  | { type: 'ping' };

/** A call of the context by a handler. `asUser` and `forUser` name the user for whom it is made. */
export interface ContextCall {
  path: string;
  asUser: string | null;
  forUser: string | null;
  /** Arguments as a JSON list. */
  args: string;
}

export type FailureReason =
  /** The handler threw `error`. */
  | 'thrown'
  | 'cpu'
  | 'memory'
  /** All handlers together have no more memory. */
  | 'crowded'
  | 'result'
  /** The handler waits for a promise that never settles. */
  | 'stalled'
  /** The process or thread was stopped for a reason outside of this run. */
  | 'restarted'
  | 'busy';

/** Error that the handler threw. The handler chose each of the texts. */
export interface Thrown {
  code?: string | undefined;
  message: string;
  retryable: boolean;
  /** JSON. */
  details?: string | undefined;
  /** Positions refer to the developer's own files if there is a source map. */
  stack?: string | undefined;
  /** True if the end of the message or the stack is missing. */
  isCut?: boolean | undefined;
}

export type FromRun =
  /** `call` is 0 if no answer is expected. */
  | ({ type: 'call'; run: number; call: number } & ContextCall)
  /** `result` is a JSON list of data, summary and ui. */
  | { type: 'done'; run: number; result: string }
  | { type: 'failed'; run: number; reason: FailureReason; error: Thrown };

export type FromChild = FromRun | { type: 'ready' } | { type: 'pong' };

/**
 * Checks a message of the child, and returns its known fields; null if it is malformed. Code that
 * has broken out of the sandbox can send any message, but still gets only the members of a context.
 */
export function parseChildMessage(message: unknown): FromChild | null {
  if (typeof message !== 'object' || message === null) return null;
  const { type, run, call, path, asUser, forUser, args, result, reason, error } = message as Record<string, unknown>;
  if (type === 'ready' || type === 'pong') return { type };
  if (typeof run !== 'number') return null;
  switch (type) {
    case 'call':
      return typeof call === 'number' && isText(path) && isTextOrNull(asUser) && isTextOrNull(forUser) && isText(args)
        ? { type, run, call, path, asUser, forUser, args }
        : null;
    case 'done':
      return isText(result) ? { type, run, result } : null;
    case 'failed':
      return isText(reason) && typeof error === 'object' && error !== null
        ? { type, run, reason: reason as FailureReason, error: thrownOf(error as Record<string, unknown>) }
        : null;
    default:
      return null;
  }
}

/** Characters of a code and of details. Longer ones are dropped. */
const MAX_CODE = 64;
const MAX_DETAILS = 16_384;
/**
 * Characters of a message or a stack that are sent. More than is shown, because the host removes
 * secrets before it cuts the text.
 */
const MAX_SENT = 32_768;

/**
 * Cuts the message and the stack of a thrown error to 32,768 characters each, and sets `isCut` if
 * it did. A code of more than 64 characters becomes empty; details of more than 16,384 characters
 * are dropped.
 */
export function thrownOf({ code, message, retryable, details, stack, isCut }: Record<string, unknown>): Thrown {
  const isLong = (text: unknown): boolean => isText(text) && !hasAtMost(MAX_SENT, text);
  return {
    code: isText(code) ? (code.length <= MAX_CODE ? code : '') : undefined,
    message: isText(message) ? truncateText(message, MAX_SENT) : '',
    retryable: retryable === true,
    details: isText(details) && details.length <= MAX_DETAILS ? details : undefined,
    stack: isText(stack) ? truncateText(stack, MAX_SENT) : undefined,
    isCut: isCut === true || isLong(message) || isLong(stack),
  };
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value);
