import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  AppLogsQuery,
  AppLogsResponse,
  AppSchedulesResponse,
  AppSecret,
  EventDeliveriesQuery,
  EventDeliveriesResponse,
  EventDelivery,
  EventDeliveryPath,
  SchedulePath,
  ScheduleRun,
  SecretDeletedResponse,
  SecretPath,
  SecretSetResponse,
  SecretValue,
  WebhookDeliveriesQuery,
  WebhookDeliveriesResponse,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookDeliveryPath,
} from '@platform/contracts';
import { Access, CurrentUser, UserLimit, type UserCaller } from '@platform/guards';
import { CallerGone, type CancellationSignal, RefusesUnknownQueryKeys } from '@platform/platform';
import { PORTAL_LIMIT } from '../developers/developers.limits.js';
import { AppLogs } from './app-logs.service.js';
import { AppSecrets } from './app-secrets.service.js';
import { AppTriggers } from './app-triggers.service.js';
import { WebhookDeliveries } from './webhook-deliveries.service.js';

/** How an app of the developer who calls runs; those of others are not there. */
@ApiTags('Developer portal')
@Controller('v1/developer/apps/:app_id')
export class AppOperationsController {
  constructor(
    private readonly secrets: AppSecrets,
    private readonly logs: AppLogs,
    private readonly deliveries: WebhookDeliveries,
    private readonly triggers: AppTriggers,
  ) {}

  /** The secrets of the app itself that the version that runs declares. */
  @Get('secrets')
  @Access('bearerOrActingUser', { keyScope: 'secrets:read', permission: 'developer' })
  @RefusesUnknownQueryKeys()
  listAppSecrets(@CurrentUser() user: UserCaller, @Param('app_id') appId: string): Promise<AppSecret[]> {
    return this.secrets.list(user, appId);
  }

  /** Sets a secret of the app. Only the app reads it. */
  @Put('secrets/:name')
  @Access('bearerOrActingUser', { keyScope: 'secrets:write', permission: 'developer' })
  @UserLimit(PORTAL_LIMIT)
  setAppSecret(
    @CurrentUser() user: UserCaller,
    @Param() { app_id, name }: SecretPath,
    @Body() { value }: SecretValue,
  ): Promise<SecretSetResponse> {
    return this.secrets.set(user, app_id, name, value);
  }

  /** Removes a secret of the developer's app. */
  @Delete('secrets/:name')
  @Access('bearerOrActingUser', { keyScope: 'secrets:write', permission: 'developer' })
  @UserLimit(PORTAL_LIMIT)
  deleteAppSecret(@CurrentUser() user: UserCaller, @Param() { app_id, name }: SecretPath): Promise<SecretDeletedResponse> {
    return this.secrets.delete(user, app_id, name);
  }

  /** What the runs of the app have logged. With `wait_seconds` it answers once there is a line, or when the time is over. */
  @Get('logs')
  @Access('bearerOrActingUser', { keyScope: 'apps:read', permission: 'developer' })
  getAppLogs(
    @CurrentUser() user: UserCaller,
    @Param('app_id') appId: string,
    @Query() query: AppLogsQuery,
    @CallerGone() gone: CancellationSignal,
  ): Promise<AppLogsResponse> {
    return this.logs.read(user, appId, query, gone);
  }

  /** What has come to the webhooks of the app that have an inbox. */
  @Get('webhook-deliveries')
  @Access('bearerOrActingUser', { keyScope: 'apps:read', permission: 'developer' })
  listWebhookDeliveries(
    @CurrentUser() user: UserCaller,
    @Param('app_id') appId: string,
    @Query() query: WebhookDeliveriesQuery,
  ): Promise<WebhookDeliveriesResponse> {
    return this.deliveries.list(user, appId, query);
  }

  /** A request that came to a webhook of the app, as it came: its headers, and the first 64 KiB of its body. */
  @Get('webhook-deliveries/:delivery_id')
  @Access('bearerOrActingUser', { keyScope: 'apps:read', permission: 'developer' })
  getWebhookDelivery(
    @CurrentUser() user: UserCaller,
    @Param() { app_id, delivery_id }: WebhookDeliveryPath,
  ): Promise<WebhookDeliveryDetail> {
    return this.deliveries.get(user, app_id, delivery_id);
  }

  /** Has the webhook handle the same request once more. Answers at once; the delivery tells what became of it. */
  @Post('webhook-deliveries/:delivery_id/replay')
  @HttpCode(202)
  @Access('bearerOrActingUser', { keyScope: 'apps:write', permission: 'developer' })
  @UserLimit(PORTAL_LIMIT)
  replayWebhookDelivery(@CurrentUser() user: UserCaller, @Param() { app_id, delivery_id }: WebhookDeliveryPath): Promise<WebhookDelivery> {
    return this.deliveries.replay(user, app_id, delivery_id);
  }

  /** The schedules of the version that runs, when they run next, and their last runs. */
  @Get('schedules')
  @Access('bearerOrActingUser', { keyScope: 'apps:read', permission: 'developer' })
  @RefusesUnknownQueryKeys()
  listSchedules(@CurrentUser() user: UserCaller, @Param('app_id') appId: string): Promise<AppSchedulesResponse> {
    return this.triggers.schedules(user, appId);
  }

  /** Runs a schedule now, beside its times. Answers at once; the list of schedules tells what became of it. */
  @Post('schedules/:name/run')
  @HttpCode(202)
  @Access('bearerOrActingUser', { keyScope: 'apps:write', permission: 'developer' })
  @UserLimit(PORTAL_LIMIT)
  runSchedule(@CurrentUser() user: UserCaller, @Param() { app_id, name }: SchedulePath): Promise<ScheduleRun> {
    return this.triggers.runSchedule(user, app_id, name);
  }

  /** The events that the app has a handler for. */
  @Get('event-deliveries')
  @Access('bearerOrActingUser', { keyScope: 'apps:read', permission: 'developer' })
  listEventDeliveries(
    @CurrentUser() user: UserCaller,
    @Param('app_id') appId: string,
    @Query() query: EventDeliveriesQuery,
  ): Promise<EventDeliveriesResponse> {
    return this.triggers.eventDeliveries(user, appId, query);
  }

  /** Has the app handle the same event once more. Answers at once; the delivery tells what became of it. */
  @Post('event-deliveries/:event_id/replay')
  @HttpCode(202)
  @Access('bearerOrActingUser', { keyScope: 'apps:write', permission: 'developer' })
  @UserLimit(PORTAL_LIMIT)
  replayEventDelivery(@CurrentUser() user: UserCaller, @Param() { app_id, event_id }: EventDeliveryPath): Promise<EventDelivery> {
    return this.triggers.replayEvent(user, app_id, event_id);
  }
}
