import { ApiError } from '@platform/client';
import { assertChatMessage, type ChatMessageOptions, ExtensionError } from '@platform/extension-sdk/runtime';
import { isUnavailable, newUuid } from '@platform/platform';
import type { GatewayClient } from '../kernel/gateway/gateway.client.js';
import { RunErrors, unavailableError } from '../handlers/run-errors.js';
import type { RunState } from './run-state.js';
import type { Run } from './run.js';

const NOT_SHOWN = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\p{Surrogate}]/gu;

/**
 * Sends a chat message to the user of the run, without secrets that the run has read. It counts as
 * one of the run's notifications.
 *
 * @throws ExtensionError USER_MISSING if the run has no user; CHAT_MESSAGE_INVALID or
 * CHAT_MESSAGE_TOO_LARGE if the message is not allowed; BUDGET_EXCEEDED after too many
 * notifications; CHAT_REFUSED, retryable for 429, if the gateway refuses it; CHAT_UNAVAILABLE if
 * the gateway is unreachable; RUN_REFUSED if the permission of the run has ended.
 */
export async function deliverChatMessage(
  gateway: Pick<GatewayClient, 'deliverChatMessage'>,
  { grant, userId, state }: Pick<Run, 'grant' | 'userId'> & { state: Pick<RunState, 'notifications' | 'redactor'> },
  text: string,
  options: ChatMessageOptions = {},
): Promise<void> {
  if (userId === null) throw RunErrors.noUser();
  assertChatMessage(text, options);
  state.notifications.spend();
  const { type = 'response', refreshPanels = [] } = options;
  // Removes secrets that the run has read: the user must not see them.
  const shown = (said: string): string => state.redactor.redact(said).replace(NOT_SHOWN, ' ');
  const message = { message_id: newUuid(), text: shown(text), type, refresh_panels: refreshPanels.map(shown) };
  try {
    await grant.callWithGrant((given) => gateway.deliverChatMessage({ grant: given, ...message }));
  } catch (error) {
    if (error instanceof ApiError)
      throw new ExtensionError('CHAT_REFUSED', error.message, { retryable: error.status === 429 });
    if (!isUnavailable(error, 'gateway')) throw error;
    throw unavailableError('CHAT', 'Chat messages cannot be sent at the moment.', { retryable: true, cause: error });
  }
}
