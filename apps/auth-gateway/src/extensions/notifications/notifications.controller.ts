import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ListNotificationsQuery, NotificationsResponse, ReadNotificationsRequest, UnreadNotificationsResponse } from '@platform/contracts';
import { Access, CurrentUser, type UserCaller } from '@platform/guards';
import { UserNotifications } from './notifications.service.js';
import { ReadNotifications } from './read-notifications.js';

@ApiTags('Marketplace and me')
@Controller('v1/me/notifications')
export class NotificationsController {
  constructor(
    private readonly notifications: UserNotifications,
    private readonly reading: ReadNotifications,
  ) {}

  /** What apps and the platform told the user, the newest first; kept for 90 days. */
  @Get()
  @Access('bearer', { keyScope: 'profile:read' })
  listNotifications(@CurrentUser() user: UserCaller, @Query() query: ListNotificationsQuery): Promise<NotificationsResponse> {
    return this.notifications.list(user, query);
  }

  /**
   * Marks notifications as read.
   *
   * Those of `ids`, or with `until` one and all that are older: give the newest that you showed. Of more than 10,000 the rest is left to the next request. It says how
   * many are not read then, and so does the event `notification.read`, which other devices of the user get. Once they are read it changes nothing.
   */
  @Post('read')
  @HttpCode(200)
  @Access('bearer', { keyScope: 'profile:write' })
  readNotifications(@CurrentUser() user: UserCaller, @Body() request: ReadNotificationsRequest): Promise<UnreadNotificationsResponse> {
    return this.reading.mark(user, request);
  }
}
