import { ApiProperty } from '@nestjs/swagger';
import { IsQueryInteger } from './validators.js';

export const NOTIFICATION_CHANNELS = ['in_app', 'email'] as const;
export type NotificationChannel = (typeof NOTIFICATION_CHANNELS)[number];
export const NOTIFICATION_PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const;
export type NotificationPriority = (typeof NOTIFICATION_PRIORITIES)[number];

export class ListNotificationsQuery {
  @IsQueryInteger({ minimum: 1, maximum: 200, default: 50 }) limit: number = 50;
  @IsQueryInteger({ minimum: 0, maximum: 10_000, default: 0 }) offset: number = 0;
}

/** What an app tells a user. */
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
}

export class NotificationsResponse {
  /** The newest first. */
  items!: NotificationResponse[];
}
