import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  ActionCreateRequest,
  ActionDetailResponse,
  ActionPageResponse,
  ActionStatsResponse,
  AppActionStats,
  CreatedAction,
  ExtensionActionStats,
  ListActionsQuery,
} from '@platform/contracts';
import { Access, CurrentUser, UserLimit, type UserCaller } from '@platform/guards';
import { AcceptsQueryKey } from '@platform/platform';
import { AppUsageService } from '../../apps/analytics/app-usage.service.js';
import { MINUTE, policy } from '../../kernel/rate-limits.js';
import { ActionStatsService } from './action-stats.service.js';
import { ActionsService } from './actions.service.js';

const LIST_LIMIT = policy('action-lists', 300, MINUTE);
const STATS_LIMIT = policy('action-stats', 120, MINUTE);

@ApiTags('Actions')
@Controller('v1/actions')
export class ActionsController {
  constructor(
    private readonly actions: ActionsService,
    private readonly stats: ActionStatsService,
    private readonly usage: AppUsageService,
  ) {}

  /**
   * Records a call that was made outside of the platform, and charges the user for it. A call that
   * failed is free, and a retry with the same `trace_id` does not charge again. Calls on the
   * platform are recorded automatically. The answer is 409 `action.trace_id_taken` if the trace ID
   * is recorded for another user, and `action.prices_differ` if it is recorded with other prices.
   */
  @Post()
  @HttpCode(200)
  @Access('service', { permission: 'actions' })
  createAction(@Body() request: ActionCreateRequest): Promise<CreatedAction> {
    return this.actions.createAction(request);
  }

  /**
   * Lists the user's actions, which are calls of functions of apps, newest first.
   *
   * The list, its filters and its search cover the newest 10000 actions between `from` and `to`.
   * Set `to` to read older ones. A second search of the user at the same time is answered 429.
   */
  @Get()
  @Access('bearer', { keyScope: 'actions:read' })
  @UserLimit(LIST_LIMIT)
  @AcceptsQueryKey('kwargs', 'Has no effect. An older version of this API required it, so clients send it.')
  listActions(@CurrentUser() user: UserCaller, @Query() query: ListActionsQuery): Promise<ActionPageResponse> {
    return this.actions.listActions(user, query);
  }

  /**
   * Reads the number, AI tokens and credits of the user's actions since the start of the calendar
   * month (UTC), in all and by app. A second request of the user at the same time is answered 429.
   */
  @Get('stats')
  @Access('bearer', { keyScope: 'actions:read' })
  @UserLimit(STATS_LIMIT)
  readActionStats(@CurrentUser() user: UserCaller): Promise<ActionStatsResponse> {
    return this.stats.getStats(user);
  }

  /**
   * Reads sums of the actions of an app, in all and by function, for its developer. They cover 30
   * days including today, or fewer if the developer's tier shows fewer. Other callers are answered
   * 403 `app.not_yours`, also for an unknown app. A second request of the user at the same time is
   * answered 429.
   */
  @Get('stats/extension/:app_id')
  @Access('bearer', { keyScope: 'actions:read' })
  @UserLimit(STATS_LIMIT)
  readExtensionStats(@CurrentUser() user: UserCaller, @Param('app_id') appId: string): Promise<ExtensionActionStats> {
    return this.usage.getDeveloperUsage(user, appId);
  }

  /**
   * Reads sums of the actions of an app over 30 days including today, up to an hour old. An app
   * that is unknown or not published is answered 404 `app.not_found`.
   */
  @Get('stats/marketplace/:app_id')
  @Access('service', { permission: 'actions' })
  readMarketplaceStats(@Param('app_id') appId: string): Promise<AppActionStats> {
    return this.usage.getMarketplaceUsage(appId);
  }

  /**
   * Reads an action of the user. An unknown action, and one of another user, is answered 404
   * `action.not_found`.
   */
  @Get(':trace_id')
  @Access('bearer', { keyScope: 'actions:read' })
  readAction(@CurrentUser() user: UserCaller, @Param('trace_id') traceId: string): Promise<ActionDetailResponse> {
    return this.actions.getAction(user, traceId);
  }
}
