import { Module } from '@nestjs/common';
import { VersionsModule } from '../../apps/deploys/versions/versions.module.js';
import { AutoTopUpNoticesListener } from './auto-top-up-notices.listener.js';
import { DeveloperNoticesListener } from './developer-notices.listener.js';
import { NotificationsController } from './notifications.controller.js';
import { UserNotificationsService } from './user-notifications.service.js';
import { ReadNotificationsService } from './read-notifications.service.js';

/** Notifications from apps and the platform to users. */
@Module({
  imports: [VersionsModule],
  controllers: [NotificationsController],
  providers: [AutoTopUpNoticesListener, DeveloperNoticesListener, ReadNotificationsService, UserNotificationsService],
  exports: [UserNotificationsService],
})
export class NotificationsModule {}
