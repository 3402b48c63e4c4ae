import { ExtensionError } from './extension-error.js';

/** In bytes of UTF-8. */
export const MAX_CHAT_MESSAGE_BYTES = 64 * 1024;
const TYPES = ['response', 'system', 'tool_result'];
const MAX_PANELS = 20;
const MAX_PANEL_LENGTH = 128;

export interface ChatMessageOptions {
  /** `response` unless told. */
  type?: 'response' | 'system' | 'tool_result';
  /** Panels of the app that show something else now, by their ids; 20 at most. */
  refreshPanels?: string[];
}

/** @throws ExtensionError CHAT_MESSAGE_INVALID, CHAT_MESSAGE_TOO_LARGE. */
export function assertChatMessage(text: string, { type = 'response', refreshPanels = [] }: ChatMessageOptions = {}): void {
  const arePanels =
    Array.isArray(refreshPanels) &&
    refreshPanels.length <= MAX_PANELS &&
    refreshPanels.every((id) => typeof id === 'string' && id.length <= MAX_PANEL_LENGTH);
  if (typeof text !== 'string' || !text || !TYPES.includes(type) || !arePanels) {
    throw new ExtensionError(
      'CHAT_MESSAGE_INVALID',
      `A message is a text of the type ${TYPES.join(', ')}, with up to ${MAX_PANELS} panels.`,
    );
  }
  if (Buffer.byteLength(text) > MAX_CHAT_MESSAGE_BYTES) {
    throw new ExtensionError('CHAT_MESSAGE_TOO_LARGE', `A message has at most ${MAX_CHAT_MESSAGE_BYTES} bytes.`);
  }
}
