import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  ListNotificationsQuery,
  NotificationsResponse,
  ReadNotificationsRequest,
  UnreadNotificationsResponse,
} from '@platform/contracts';
import { Access, CurrentUser, type UserCaller } from '@platform/guards';
import { UserNotificationsService } from './user-notifications.service.js';
import { ReadNotificationsService } from './read-notifications.service.js';

@ApiTags('Marketplace and me')
@Controller('v1/me/notifications')
export class NotificationsController {
  constructor(
    private readonly notifications: UserNotificationsService,
    private readonly reading: ReadNotificationsService,
  ) {}

  /** Lists the notifications of the user, newest first. They are deleted after 90 days. */
  @Get()
  @Access('bearer', { keyScope: 'profile:read' })
  listNotifications(
    @CurrentUser() user: UserCaller,
    @Query() query: ListNotificationsQuery,
  ): Promise<NotificationsResponse> {
    return this.notifications.listNotifications(user, query);
  }

  /**
   * Marks notifications as read.
   *
   * Give their `ids`, or `until` to mark one notification and all older ones: use the newest one
   * that you displayed. A request with `until` marks at most 10,000; the next request marks the
   * rest. The answer contains the number of unread notifications, and so does the event
   * `notification.read`, which the user's other devices receive. A retry changes nothing. If
   * `until` is unknown, the answer is 404 `notification.not_found`.
   */
  @Post('read')
  @HttpCode(200)
  @Access('bearer', { keyScope: 'profile:write' })
  readNotifications(
    @CurrentUser() user: UserCaller,
    @Body() request: ReadNotificationsRequest,
  ): Promise<UnreadNotificationsResponse> {
    return this.reading.markRead(user, request);
  }
}
