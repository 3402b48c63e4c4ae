import { ExtensionError } from './extension-error.js';

/** Bytes of UTF-8. */
export const MAX_CHAT_MESSAGE_BYTES = 64 * 1024;
const TYPES = ['response', 'system', 'tool_result'];
const MAX_PANELS = 20;
const MAX_PANEL_LENGTH = 128;

export interface ChatMessageOptions {
  /** `response` by default. */
  type?: 'response' | 'system' | 'tool_result';
  /** Ids of panels of the app that clients should load again; 20 at most. */
  refreshPanels?: string[];
}

/**
 * Checks a chat message.
 *
 * @throws ExtensionError CHAT_MESSAGE_INVALID if the text is empty, the type is unknown, or there
 * are more than 20 panels or an id of more than 128 characters; CHAT_MESSAGE_TOO_LARGE if the text
 * has more than 64 KiB.
 */
export function assertChatMessage(
  text: string,
  { type = 'response', refreshPanels = [] }: ChatMessageOptions = {},
): void {
  const arePanels =
    Array.isArray(refreshPanels) &&
    refreshPanels.length <= MAX_PANELS &&
    refreshPanels.every((id) => typeof id === 'string' && id.length <= MAX_PANEL_LENGTH);
  if (typeof text !== 'string' || !text || !TYPES.includes(type) || !arePanels) {
    throw new ExtensionError(
      'CHAT_MESSAGE_INVALID',
      `A message must be a text of the type ${TYPES.join(', ')}, with up to ${MAX_PANELS} panels.`,
    );
  }
  if (Buffer.byteLength(text) > MAX_CHAT_MESSAGE_BYTES) {
    throw new ExtensionError('CHAT_MESSAGE_TOO_LARGE', `A message can have at most ${MAX_CHAT_MESSAGE_BYTES} bytes.`);
  }
}
