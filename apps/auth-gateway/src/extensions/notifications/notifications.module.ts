import { Module } from '@nestjs/common';
import { VersionsModule } from '../../apps/deploys/versions/versions.module.js';
import { BillingNotices } from './billing-notices.js';
import { DeveloperNews } from './developer-news.js';
import { NotificationsController } from './notifications.controller.js';
import { UserNotifications } from './notifications.service.js';
import { ReadNotifications } from './read-notifications.js';

/** Notifications from apps and the platform to users. */
@Module({
  imports: [VersionsModule],
  controllers: [NotificationsController],
  providers: [BillingNotices, DeveloperNews, ReadNotifications, UserNotifications],
  exports: [UserNotifications],
})
export class NotificationsModule {}
