import { MAX_EVENT_BYTES, MAX_EVENT_HOPS } from '@platform/contracts';
import { describeEventLimit, type EventLimit } from '@platform/persistence';
import { ExtensionError } from '@platform/extension-sdk/runtime';

/** Errors of publishing an event in a run. */
export const EmitErrors = {
  foreign: (type: string, appId: string) =>
    new ExtensionError(
      'EVENT_TYPE_FOREIGN',
      `"${type}" is not an event of this app: its events begin with "${appId}.".`,
    ),
  undeclared: (type: string) =>
    new ExtensionError('EVENT_NOT_DECLARED', `The document does not declare the event "${type}" in "emits".`),
  invalid: (type: string, why: string) =>
    new ExtensionError('EVENT_INVALID', `The data of "${type}" does not match the declared schema: ${why}`),
  tooLarge: () =>
    new ExtensionError('EVENT_TOO_LARGE', `The data of an event has at most ${MAX_EVENT_BYTES} bytes as JSON.`),
  backlogFull: (limit: number) =>
    new ExtensionError(
      'EVENT_BACKLOG_FULL',
      `This app already has ${limit} events that are not handled yet. Publish more when they are.`,
      {
        retryable: true,
      },
    ),
  quotaExceeded: (limit: EventLimit) => new ExtensionError('EVENT_QUOTA_EXCEEDED', describeEventLimit(limit)),
  tooManyHops: () =>
    new ExtensionError(
      'EVENT_TOO_MANY_HOPS',
      `At most ${MAX_EVENT_HOPS} event handlers in a row may lead to an event.`,
    ),
};
