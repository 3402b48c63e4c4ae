import { ExtensionError } from '@platform/extension-sdk/runtime';
import { CODE_LIMITS } from '../code-limits.js';

export const CodeErrors = {
  cpu: (ms: number) => new ExtensionError('CPU_LIMIT', `The handler has computed for more than ${ms / 1_000} s.`),
  memory: () => new ExtensionError('MEMORY_LIMIT', `The handler needs more than ${CODE_LIMITS.heapBytes / 1024 / 1024} MiB of memory.`),
  crowded: () =>
    new ExtensionError('OUT_OF_MEMORY', 'All handlers that run at the moment need more memory than there is; this one asked for more.', {
      retryable: true,
    }),
  result: (message: string) => new ExtensionError('RESULT_INVALID', message),
  stalled: () => new ExtensionError('HANDLER_STALLED', 'The handler waits for something that never comes.'),
  restarted: () =>
    new ExtensionError('RUNTIME_RESTARTED', 'What ran the handler was stopped. It may have done a part of its work.', { retryable: true }),
  busy: () => new ExtensionError('RUNTIME_BUSY', 'Too many runs of this app wait already.', { retryable: true }),
  unavailable: (cause: unknown) =>
    new ExtensionError('RUNTIME_UNAVAILABLE', 'Handlers in JavaScript cannot run at the moment.', { retryable: true, cause }),
  unknownCall: (path: string) =>
    new ExtensionError('UNKNOWN_CALL', `The context has no ${path.length > 60 ? 'member with such a name' : path}.`),
  argumentInvalid: (path: string, cause?: unknown) =>
    new ExtensionError('ARGUMENT_INVALID', `ctx.${path} was called with arguments that it does not take.`, { cause }),
  noJson: () => new ExtensionError('JSON_INVALID', 'What the handler gave is no JSON.'),
  answerTooDeep: (path: string) =>
    new ExtensionError('ANSWER_TOO_DEEP', `What ctx.${path} answers is nested deeper than ${CODE_LIMITS.answerDepth} levels.`),
  tooDeep: () => new ExtensionError('JSON_INVALID', `Values are nested at most ${CODE_LIMITS.depth} levels deep.`),
};
