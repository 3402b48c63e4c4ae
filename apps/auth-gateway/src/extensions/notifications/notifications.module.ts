import { Module } from '@nestjs/common';
import { VersionsModule } from '../../apps/deploys/versions/versions.module.js';
import { BillingNotices } from './auto-top-up-notices.listener.js';
import { DeveloperNews } from './developer-notices.listener.js';
import { NotificationsController } from './notifications.controller.js';
import { UserNotifications } from './user-notifications.service.js';
import { ReadNotifications } from './read-notifications.service.js';

/** Notifications from apps and the platform to users. */
@Module({
  imports: [VersionsModule],
  controllers: [NotificationsController],
  providers: [BillingNotices, DeveloperNews, ReadNotifications, UserNotifications],
  exports: [UserNotifications],
})
export class NotificationsModule {}
