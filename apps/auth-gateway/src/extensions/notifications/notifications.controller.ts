import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ListNotificationsQuery, NotificationsResponse } from '@platform/contracts';
import { Access, CurrentUser, type UserCaller } from '@platform/guards';
import { UserNotifications } from './notifications.service.js';

@ApiTags('Marketplace and me')
@Controller('v1/me/notifications')
export class NotificationsController {
  constructor(private readonly notifications: UserNotifications) {}

  /** What apps told the user, the newest first; kept for 90 days. */
  @Get()
  @Access('bearer', { keyScope: 'profile:read' })
  listNotifications(@CurrentUser() user: UserCaller, @Query() query: ListNotificationsQuery): Promise<NotificationsResponse> {
    return this.notifications.list(user, query);
  }
}
