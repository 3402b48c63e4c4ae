import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { NeedsExactlyOneOf } from './schema-rules.js';
import { IsListOfTexts, IsQueryBoolean, IsQueryInteger, IsText } from './validators.js';

export const NOTIFICATION_CHANNELS = ['in_app', 'email'] as const;
export type NotificationChannel = (typeof NOTIFICATION_CHANNELS)[number];
export const NOTIFICATION_PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const;
export type NotificationPriority = (typeof NOTIFICATION_PRIORITIES)[number];

export class ListNotificationsQuery {
  @IsQueryInteger({ minimum: 1, maximum: 200, default: 50 }) limit: number = 50;
  @IsQueryInteger({ minimum: 0, maximum: 10_000, default: 0 }) offset: number = 0;
  /** Only those that were not read yet. */
  @IsQueryBoolean(false) unread: boolean = false;
}

/** What an app, or the platform, tells a user. */
export class NotificationResponse {
  id!: string;
  app_id!: string;
  message!: string;
  @ApiProperty({ enum: NOTIFICATION_CHANNELS }) channel!: NotificationChannel;
  @ApiProperty({ enum: NOTIFICATION_PRIORITIES }) priority!: NotificationPriority;
  subject!: string | null;
  /** More than the message says, if anything. */
  body!: string | null;
  created_at!: Date;
  /** When the user read it; null before. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, required: true }) read_at!: Date | null;
}

/** Further than this nobody counts what was not read. */
export const MOST_UNREAD_COUNTED = 100;

export class NotificationsResponse {
  /** The newest first. */
  items!: NotificationResponse[];
  /** How many the user has not read, of all that there are; 100 for as many or more. */
  @ApiProperty({ type: 'integer', minimum: 0, maximum: MOST_UNREAD_COUNTED }) unread_count!: number;
}

/** One of the two. */
@NeedsExactlyOneOf('ids', 'until')
export class ReadNotificationsRequest {
  /** These; ids of others are passed over. */
  @IsOptional() @IsListOfTexts(100, 64) ids?: string[] | null;
  /** The id of a notification: it, and all that are older. What came after what was shown stays unread so. */
  @IsOptional() @IsText(64) until?: string | null;
}

export class UnreadNotificationsResponse {
  /** How many are left that the user has not read; 100 for as many or more. */
  @ApiProperty({ type: 'integer', minimum: 0, maximum: MOST_UNREAD_COUNTED }) unread_count!: number;
}
