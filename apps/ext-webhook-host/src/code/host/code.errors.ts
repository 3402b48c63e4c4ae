import { ExtensionError } from '@platform/extension-sdk/runtime';
import { CODE_LIMITS } from '../code-limits.js';

export const CodeErrors = {
  cpu: (ms: number) => new ExtensionError('CPU_LIMIT', `The handler has computed for more than ${ms / 1_000} s.`),
  memory: () =>
    new ExtensionError(
      'MEMORY_LIMIT',
      `The handler needs more than ${CODE_LIMITS.heapBytes / 1024 / 1024} MiB of memory.`,
    ),
  crowded: () =>
    new ExtensionError(
      'OUT_OF_MEMORY',
      'The running handlers together use all memory of the sandbox, and this one needs more. Try again later.',
      {
        retryable: true,
      },
    ),
  result: (message: string) => new ExtensionError('RESULT_INVALID', message),
  stalled: () => new ExtensionError('HANDLER_STALLED', 'The handler waits for a promise that never settles.'),
  restarted: () =>
    new ExtensionError(
      'RUNTIME_RESTARTED',
      'The process that ran the handler was stopped. A part of the work may be done.',
      {
        retryable: true,
      },
    ),
  busy: () =>
    new ExtensionError('RUNTIME_BUSY', 'Too many runs of this app are waiting. Try again later.', { retryable: true }),
  unavailable: (cause: unknown) =>
    new ExtensionError('RUNTIME_UNAVAILABLE', 'Handlers in JavaScript cannot run at the moment.', {
      retryable: true,
      cause,
    }),
  unknownCall: (path: string) =>
    new ExtensionError('UNKNOWN_CALL', `The context has no ${path.length > 60 ? 'member with this name' : path}.`),
  argumentInvalid: (path: string, cause?: unknown) =>
    new ExtensionError('ARGUMENT_INVALID', `ctx.${path} was called with invalid arguments.`, { cause }),
  noJson: () => new ExtensionError('JSON_INVALID', 'The handler produced invalid JSON.'),
  answerTooDeep: (path: string) =>
    new ExtensionError(
      'ANSWER_TOO_DEEP',
      `The answer of ctx.${path} is nested deeper than ${CODE_LIMITS.answerDepth} levels.`,
    ),
  tooDeep: () => new ExtensionError('JSON_INVALID', `Values may be nested at most ${CODE_LIMITS.depth} levels deep.`),
};
