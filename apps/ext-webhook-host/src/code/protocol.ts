import { beginningOf, hasAtMost } from '@platform/contracts/text-lengths';

/** A module of an app, as its document has it. */
export interface CodeModule {
  source: string;
  source_map: string | null;
}
export type CodeModules = Readonly<Record<string, CodeModule>>;

/** One run, for the child process. Everything of the app and of the world outside is text here: JSON that only the sandbox reads. */
export interface RunMessage {
  type: 'run';
  run: number;
  /** Whose it is: the runs of one app wait for each other before they wait for those of others. */
  app: string;
  /** What the kind of the run has not, or the version may not use. */
  unavailable: readonly string[];
  /** Hash of the modules. */
  code: string;
  /** Where the child has not had them yet, or has had to forget them. */
  modules?: CodeModules | undefined;
  /** Hashes of those that it need not keep any longer. */
  forget?: string[] | undefined;
  module: string;
  /** The name under which the module exports the handler. */
  entry: string;
  /** The first argument. */
  event: string;
  /** Keys of the first argument that are asked for when they are read. */
  lazyEvent: string[];
  /** `{app, user}` of the context, and the `kind` of the run. */
  known: string;
  cpuMs: number;
}

export type ToChild =
  | RunMessage
  /** `value` and `error` are JSON; undefined is an empty text. */
  | { type: 'answer'; run: number; call: number; ok: boolean; text: string }
  | { type: 'stop'; run: number }
  | { type: 'ping' };

/** What a handler asks of its context. `asUser` and `forUser` say for whom. */
export interface ContextCall {
  path: string;
  asUser: string | null;
  forUser: string | null;
  /** A JSON list. */
  args: string;
}

export type FailureReason =
  /** Thrown by the handler; `error` says what. */
  | 'thrown'
  | 'cpu'
  | 'memory'
  /** All handlers together have no more memory. */
  | 'crowded'
  | 'result'
  /** It waits for what never comes. */
  | 'stalled'
  /** What runs it was stopped, for no fault of this run. */
  | 'restarted'
  | 'busy';

/** What the handler threw, each part as text that it chose itself. */
export interface Thrown {
  code?: string | undefined;
  message: string;
  retryable: boolean;
  /** JSON. */
  details?: string | undefined;
  /** In terms of the developer's own files where a source map tells. */
  stack?: string | undefined;
  /** Whether the end of the message or the stack is missing. */
  isCut?: boolean | undefined;
}

export type FromRun =
  /** `call` is 0 when no answer is wanted. */
  | ({ type: 'call'; run: number; call: number } & ContextCall)
  /** `result` is a JSON list of data, summary and ui. */
  | { type: 'done'; run: number; result: string }
  | { type: 'failed'; run: number; reason: FailureReason; error: Thrown };

export type FromChild = FromRun | { type: 'ready' } | { type: 'pong' };

/**
 * What the child sent, where it is what a child sends. Who has broken out of the sandbox may send anything, and is still asked for no
 * more than a context gives.
 */
export function fromChild(message: unknown): FromChild | null {
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

/** Of one that anything is made of; others say nothing. */
const MAX_CODE = 64;
const MAX_DETAILS = 16_384;
/** Of a message or a stack: more than is shown, since whoever shows it takes secrets out of it first. */
const MAX_SENT = 32_768;

/** No longer than what is sent of it; `isCut` where it was. */
export function thrownOf({ code, message, retryable, details, stack, isCut }: Record<string, unknown>): Thrown {
  const isLong = (text: unknown): boolean => isText(text) && !hasAtMost(MAX_SENT, text);
  return {
    code: isText(code) ? (code.length <= MAX_CODE ? code : '') : undefined,
    message: isText(message) ? beginningOf(message, MAX_SENT) : '',
    retryable: retryable === true,
    details: isText(details) && details.length <= MAX_DETAILS ? details : undefined,
    stack: isText(stack) ? beginningOf(stack, MAX_SENT) : undefined,
    isCut: isCut === true || isLong(message) || isLong(stack),
  };
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value);
