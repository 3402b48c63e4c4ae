import { Module } from '@nestjs/common';
import { NotificationsController } from './notifications.controller.js';
import { UserNotifications } from './notifications.service.js';

/** What apps tell users. */
@Module({ controllers: [NotificationsController], providers: [UserNotifications], exports: [UserNotifications] })
export class NotificationsModule {}
