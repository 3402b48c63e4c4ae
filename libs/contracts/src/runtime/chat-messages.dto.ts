import { IsOptional } from 'class-validator';
import { IsListOfTexts, IsOneOf, IsProse, IsUuid } from '../validators.js';
import { IsRunGrant } from './run-grants.dto.js';

/** Maximum size of a chat message. */
export const MAX_CHAT_MESSAGE_BYTES = 64 * 1024;
export const CHAT_MESSAGE_TYPES = ['response', 'system', 'tool_result'] as const;
export type ChatMessageType = (typeof CHAT_MESSAGE_TYPES)[number];
export const MAX_REFRESHED_PANELS = 20;

/** A chat message of an app to the user of its run. */
export class HostChatMessageRequest {
  @IsRunGrant() grant!: string;
  /** Id of the message. A retry with the same id has no second effect. */
  @IsUuid() message_id!: string;
  @IsProse(MAX_CHAT_MESSAGE_BYTES) text!: string;
  @IsOneOf(CHAT_MESSAGE_TYPES) type!: ChatMessageType;
  /** Ids of the panels whose content has changed. */
  @IsOptional() @IsListOfTexts(MAX_REFRESHED_PANELS, 128) refresh_panels?: string[];
}
