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
import { TakesQueryKey } from '@platform/platform';
import { AppUsage } from '../../apps/analytics/app-usage.js';
import { MINUTE, policy } from '../../kernel/rate-limits.js';
import { ActionStats } from './action-stats.js';
import { Actions } from './actions.service.js';

const LIST_LIMIT = policy('action-lists', 300, MINUTE);
const STATS_LIMIT = policy('action-stats', 120, MINUTE);

@ApiTags('Actions')
@Controller('v1/actions')
export class ActionsController {
  constructor(
    private readonly actions: Actions,
    private readonly stats: ActionStats,
    private readonly usage: AppUsage,
  ) {}

  /**
   * Records a call that was made outside of the platform. A retry with the same `trace_id` changes
   * nothing. Calls on the platform are recorded automatically.
   */
  @Post()
  @HttpCode(200)
  @Access('service', { permission: 'actions' })
  createAction(@Body() request: ActionCreateRequest): Promise<CreatedAction> {
    return this.actions.create(request);
  }

  /**
   * Lists the user's actions with apps, newest first.
   *
   * The list, its filters and its search cover the newest 10000 actions between `from` and `to`.
   * Set `to` to read older ones. A second search of the user at the same time is answered 429.
   */
  @Get()
  @Access('bearer', { keyScope: 'actions:read' })
  @UserLimit(LIST_LIMIT)
  @TakesQueryKey('kwargs', 'Has no effect. An older version of this API required it, so clients send it.')
  listActions(@CurrentUser() user: UserCaller, @Query() query: ListActionsQuery): Promise<ActionPageResponse> {
    return this.actions.page(user, query);
  }

  /**
   * Sums of the user's actions since the start of the month. A second request of the user at the
   * same time is answered 429.
   */
  @Get('stats')
  @Access('bearer', { keyScope: 'actions:read' })
  @UserLimit(STATS_LIMIT)
  readActionStats(@CurrentUser() user: UserCaller): Promise<ActionStatsResponse> {
    return this.stats.get(user);
  }

  /**
   * Sums of the actions with an app, for its developer. They cover 30 days including today, or as
   * many days as the developer's tier includes. A second request of the user at the same time is
   * answered 429.
   */
  @Get('stats/extension/:app_id')
  @Access('bearer', { keyScope: 'actions:read' })
  @UserLimit(STATS_LIMIT)
  readExtensionStats(@CurrentUser() user: UserCaller, @Param('app_id') appId: string): Promise<ExtensionActionStats> {
    return this.usage.forDeveloper(user, appId);
  }

  /** Sums of the actions with an app over 30 days, up to an hour old. */
  @Get('stats/marketplace/:app_id')
  @Access('service', { permission: 'actions' })
  readMarketplaceStats(@Param('app_id') appId: string): Promise<AppActionStats> {
    return this.usage.forMarketplace(appId);
  }

  /** Reads an action of the user. */
  @Get(':trace_id')
  @Access('bearer', { keyScope: 'actions:read' })
  readAction(@CurrentUser() user: UserCaller, @Param('trace_id') traceId: string): Promise<ActionDetailResponse> {
    return this.actions.get(user, traceId);
  }
}
