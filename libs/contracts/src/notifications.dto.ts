import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { NeedsExactlyOneOf } from './schema-rules.js';
import { IsListOfTexts, IsQueryBoolean, IsQueryInteger, IsText } from './validators.js';

export const NOTIFICATION_CHANNELS = ['in_app', 'email'] as const;
export type NotificationChannel = (typeof NOTIFICATION_CHANNELS)[number];
export const NOTIFICATION_PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const;
export type NotificationPriority = (typeof NOTIFICATION_PRIORITIES)[number];

export class ListNotificationsQuery {
  /** Maximum number of items in the answer. */
  @IsQueryInteger({ minimum: 1, maximum: 200, default: 50 }) limit: number = 50;
  /** Number of items to skip. */
  @IsQueryInteger({ minimum: 0, maximum: 10_000, default: 0 }) offset: number = 0;
  /** True returns only unread notifications. */
  @IsQueryBoolean(false) unread: boolean = false;
}

/** A notification to a user, from an app or the platform. */
export class NotificationResponse {
  /** Id of the notification. */
  id!: string;
  /** Id of the app, or a part of the platform such as `billing`. */
  app_id!: string;
  /** Text of the notification. */
  message!: string;
  /** Channel on which it was sent. */
  @ApiProperty({ enum: NOTIFICATION_CHANNELS }) channel!: NotificationChannel;
  /** Priority, as the app set it. */
  @ApiProperty({ enum: NOTIFICATION_PRIORITIES }) priority!: NotificationPriority;
  /** Subject; null if there is none. */
  subject!: string | null;
  /** Additional text; null if there is none. */
  body!: string | null;
  /** Time of creation. */
  created_at!: Date;
  /** Time at which the user read it; null if it is unread. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, required: true }) read_at!: Date | null;
}

/** Unread notifications are counted up to this number. */
export const MOST_UNREAD_COUNTED = 100;

export class NotificationsResponse {
  /** Newest first. */
  items!: NotificationResponse[];
  /** Number of all unread notifications of the user; 100 means 100 or more. */
  @ApiProperty({ type: 'integer', minimum: 0, maximum: MOST_UNREAD_COUNTED }) unread_count!: number;
}

/** Marks notifications as read. Send exactly one of `ids` and `until`. */
@NeedsExactlyOneOf('ids', 'until')
export class ReadNotificationsRequest {
  /** Ids of the notifications. Unknown ids and ids of other users are ignored. */
  @IsOptional() @IsListOfTexts(100, 64) ids?: string[] | null;
  /** Id of a notification. It and all older ones become read; newer ones stay unread. */
  @IsOptional() @IsText(64) until?: string | null;
}

export class UnreadNotificationsResponse {
  /** Number of remaining unread notifications; 100 means 100 or more. */
  @ApiProperty({ type: 'integer', minimum: 0, maximum: MOST_UNREAD_COUNTED }) unread_count!: number;
}
