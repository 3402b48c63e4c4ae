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
import { DisconnectSignal, type CancellationSignal, RefusesUnknownQueryKeys } from '@platform/platform';
import { PORTAL_LIMIT } from '../developers/developers.limits.js';
import { AppLogsService } from './app-logs.service.js';
import { AppSecretsService } from './app-secrets.service.js';
import { AppTriggersService } from './app-triggers.service.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';

/**
 * Secrets, logs, webhook deliveries, schedules and events of the caller's apps. Apps of other
 * developers answer 404.
 */
@ApiTags('Developer portal')
@Controller('v1/developer/apps/:app_id')
export class AppOperationsController {
  constructor(
    private readonly secrets: AppSecretsService,
    private readonly logs: AppLogsService,
    private readonly deliveries: WebhookDeliveriesService,
    private readonly triggers: AppTriggersService,
  ) {}

  /**
   * Secrets of the app itself that its served version declares; without their values. A secret of a
   * user is not listed.
   */
  @Get('secrets')
  @Access('bearerOrActingUser', { keyScope: 'secrets:read', permission: 'developer' })
  @RefusesUnknownQueryKeys()
  listAppSecrets(@CurrentUser() user: UserCaller, @Param('app_id') appId: string): Promise<AppSecret[]> {
    return this.secrets.listAppSecrets(user, appId);
  }

  /** Sets a secret of the app. Only the app can read it. */
  @Put('secrets/:name')
  @Access('bearerOrActingUser', { keyScope: 'secrets:write', permission: 'developer' })
  @UserLimit(PORTAL_LIMIT)
  setAppSecret(
    @CurrentUser() user: UserCaller,
    @Param() { app_id, name }: SecretPath,
    @Body() { value }: SecretValue,
  ): Promise<SecretSetResponse> {
    return this.secrets.setAppSecret(user, app_id, name, value);
  }

  /** Deletes the value of a secret of the app. `was_set` in the answer is false if it had none. */
  @Delete('secrets/:name')
  @Access('bearerOrActingUser', { keyScope: 'secrets:write', permission: 'developer' })
  @UserLimit(PORTAL_LIMIT)
  deleteAppSecret(
    @CurrentUser() user: UserCaller,
    @Param() { app_id, name }: SecretPath,
  ): Promise<SecretDeletedResponse> {
    return this.secrets.deleteAppSecret(user, app_id, name);
  }

  /**
   * Log lines of the app. With `wait_seconds` the answer waits for a new line, at most for that
   * time.
   */
  @Get('logs')
  @Access('bearerOrActingUser', { keyScope: 'apps:read', permission: 'developer' })
  getAppLogs(
    @CurrentUser() user: UserCaller,
    @Param('app_id') appId: string,
    @Query() query: AppLogsQuery,
    @DisconnectSignal() gone: CancellationSignal,
  ): Promise<AppLogsResponse> {
    return this.logs.getAppLogs(user, appId, query, gone);
  }

  /**
   * Requests that webhooks of the app with an inbox received, newest first. An inbox stores a
   * request before the app handles it.
   */
  @Get('webhook-deliveries')
  @Access('bearerOrActingUser', { keyScope: 'apps:read', permission: 'developer' })
  listWebhookDeliveries(
    @CurrentUser() user: UserCaller,
    @Param('app_id') appId: string,
    @Query() query: WebhookDeliveriesQuery,
  ): Promise<WebhookDeliveriesResponse> {
    return this.deliveries.listWebhookDeliveries(user, appId, query);
  }

  /**
   * A received webhook request in its original form: the headers and the first 64 KiB of the
   * body.
   */
  @Get('webhook-deliveries/:delivery_id')
  @Access('bearerOrActingUser', { keyScope: 'apps:read', permission: 'developer' })
  getWebhookDelivery(
    @CurrentUser() user: UserCaller,
    @Param() { app_id, delivery_id }: WebhookDeliveryPath,
  ): Promise<WebhookDeliveryDetail> {
    return this.deliveries.getWebhookDelivery(user, app_id, delivery_id);
  }

  /**
   * Handles the same webhook request again. Answers at once; the delivery shows the result. Answers
   * 409 while the delivery is not finished.
   */
  @Post('webhook-deliveries/:delivery_id/replay')
  @HttpCode(202)
  @Access('bearerOrActingUser', { keyScope: 'apps:write', permission: 'developer' })
  @UserLimit(PORTAL_LIMIT)
  replayWebhookDelivery(
    @CurrentUser() user: UserCaller,
    @Param() { app_id, delivery_id }: WebhookDeliveryPath,
  ): Promise<WebhookDelivery> {
    return this.deliveries.replayWebhookDelivery(user, app_id, delivery_id);
  }

  /** Schedules of the served version, their next times and their last runs. */
  @Get('schedules')
  @Access('bearerOrActingUser', { keyScope: 'apps:read', permission: 'developer' })
  @RefusesUnknownQueryKeys()
  listSchedules(@CurrentUser() user: UserCaller, @Param('app_id') appId: string): Promise<AppSchedulesResponse> {
    return this.triggers.listSchedules(user, appId);
  }

  /**
   * Runs a schedule now, in addition to its times. Answers at once; the list of schedules shows the
   * result. Answers 409 while the app is suspended, or an earlier run by this route is not
   * finished.
   */
  @Post('schedules/:name/run')
  @HttpCode(202)
  @Access('bearerOrActingUser', { keyScope: 'apps:write', permission: 'developer' })
  @UserLimit(PORTAL_LIMIT)
  runSchedule(@CurrentUser() user: UserCaller, @Param() { app_id, name }: SchedulePath): Promise<ScheduleRun> {
    return this.triggers.runSchedule(user, app_id, name);
  }

  /** Events that were delivered to handlers of the app. */
  @Get('event-deliveries')
  @Access('bearerOrActingUser', { keyScope: 'apps:read', permission: 'developer' })
  listEventDeliveries(
    @CurrentUser() user: UserCaller,
    @Param('app_id') appId: string,
    @Query() query: EventDeliveriesQuery,
  ): Promise<EventDeliveriesResponse> {
    return this.triggers.listEventDeliveries(user, appId, query);
  }

  /**
   * Delivers the same event to the app again. Answers at once; the delivery shows the result.
   * Answers 409 while the delivery is not finished, and for the removal of the app by a user.
   */
  @Post('event-deliveries/:event_id/replay')
  @HttpCode(202)
  @Access('bearerOrActingUser', { keyScope: 'apps:write', permission: 'developer' })
  @UserLimit(PORTAL_LIMIT)
  replayEventDelivery(
    @CurrentUser() user: UserCaller,
    @Param() { app_id, event_id }: EventDeliveryPath,
  ): Promise<EventDelivery> {
    return this.triggers.replayEventDelivery(user, app_id, event_id);
  }
}
