import { Module } from '@nestjs/common';
import { BillingNotices } from './billing-notices.js';
import { NotificationsController } from './notifications.controller.js';
import { UserNotifications } from './notifications.service.js';

/** What apps tell users. */
@Module({ controllers: [NotificationsController], providers: [BillingNotices, UserNotifications], exports: [UserNotifications] })
export class NotificationsModule {}
