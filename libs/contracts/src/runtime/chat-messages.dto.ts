import { IsOptional } from 'class-validator';
import { IsListOfTexts, IsOneOf, IsProse, IsUuid } from '../validators.js';
import { IsRunGrant } from './run-grants.dto.js';

/** In bytes. */
export const MAX_CHAT_MESSAGE_BYTES = 64 * 1024;
export const CHAT_MESSAGE_TYPES = ['response', 'system', 'tool_result'] as const;
export type ChatMessageType = (typeof CHAT_MESSAGE_TYPES)[number];
export const MAX_REFRESHED_PANELS = 20;

/** What an app says to the user of its run. */
export class HostChatMessageRequest {
  @IsRunGrant() grant!: string;
  /** The same one again says nothing more. */
  @IsUuid() message_id!: string;
  @IsProse(MAX_CHAT_MESSAGE_BYTES) text!: string;
  @IsOneOf(CHAT_MESSAGE_TYPES) type!: ChatMessageType;
  /** Those that show something else now, by their ids. */
  @IsOptional() @IsListOfTexts(MAX_REFRESHED_PANELS, 128) refresh_panels?: string[];
}
