import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import {
  AppConfigRequest,
  CapabilityDenialRequest,
  HostNotificationRequest,
  InternalCallRequest,
  AppRuntimeChangesQuery,
  HostChatMessageRequest,
  RunProgressRequest,
  type AppConfigResponse,
  type AppRuntimeChangesResponse,
  type AppRuntimeInfo,
  type CallResponse,
  type NotificationSentResponse,
  type RunProgressResponse,
} from '@platform/contracts';
import { Access } from '@platform/guards';
import { DisconnectSignal, Routine, type CancellationSignal } from '@platform/platform';
import { UserNotificationsService } from '../notifications/user-notifications.service.js';
import { RunGrantErrors } from '../run-grants/run-grants.errors.js';
import { RunGrantsService, REPORT_PERIOD_MS } from '../run-grants/run-grants.service.js';
import { ChatMessagesService } from '../chat/chat-messages.service.js';
import { TaskProgressService } from '../tasks/task-progress.service.js';
import { AppConfigsService } from './app-configs.service.js';
import { AppRuntimesService } from './app-runtimes.service.js';
import { CapabilityDenialsService } from './capability-denials.service.js';
import { ChainedCallsService } from './chained-calls.service.js';

/** Internal routes for the host. */
@ApiExcludeController()
@Controller('v1/internal')
export class HostRoutesController {
  constructor(
    private readonly runtimes: AppRuntimesService,
    private readonly configs: AppConfigsService,
    private readonly calls: ChainedCallsService,
    private readonly denials: CapabilityDenialsService,
    private readonly grants: RunGrantsService,
    private readonly notifications: UserNotificationsService,
    private readonly progress: TaskProgressService,
    private readonly chat: ChatMessagesService,
  ) {}

  @Get('app-runtimes')
  @Access('service', { permission: 'extension-host' })
  @Routine()
  listRuntimeChanges(@Query() query: AppRuntimeChangesQuery): Promise<AppRuntimeChangesResponse> {
    return this.runtimes.listChanges(query);
  }

  @Get('apps/:app_id/runtime')
  @Access('service', { permission: 'extension-host' })
  readRuntime(@Param('app_id') appId: string): Promise<AppRuntimeInfo> {
    return this.runtimes.getRuntime(appId);
  }

  @Get('apps/:app_id/documents/:sha256')
  @Access('service', { permission: 'extension-host' })
  readDocument(@Param('app_id') appId: string, @Param('sha256') hash: string): Promise<Record<string, unknown>> {
    return this.runtimes.getDocument(appId, hash);
  }

  @Post('config')
  @HttpCode(200)
  @Access('service', { permission: 'extension-host' })
  async readConfig(@Body() { grant }: AppConfigRequest): Promise<AppConfigResponse> {
    return this.configs.resolveConfig(await this.grants.authorizeOwn(grant));
  }

  @Post('extensions/:app_id/call')
  @HttpCode(200)
  @Access('service', { permission: 'extension-host' })
  call(
    @Param('app_id') appId: string,
    @Body() request: InternalCallRequest,
    @DisconnectSignal() gone: CancellationSignal,
  ): Promise<CallResponse> {
    return this.calls.callForRun(appId, request, gone);
  }

  @Post('capability-denials')
  @HttpCode(204)
  @Access('service', { permission: 'extension-host' })
  async recordDenial(@Body() { grant, ...denial }: CapabilityDenialRequest): Promise<void> {
    await this.denials.recordDenial(await this.grants.parseGrant(grant, REPORT_PERIOD_MS), denial);
  }

  @Post('task-progress')
  @HttpCode(200)
  @Access('service', { permission: 'extension-host' })
  @Routine()
  reportProgress(@Body() request: RunProgressRequest): Promise<RunProgressResponse> {
    return this.progress.recordProgress(request);
  }

  @Post('chat-messages')
  @HttpCode(204)
  @Access('service', { permission: 'extension-host' })
  deliverChatMessage(@Body() message: HostChatMessageRequest): Promise<void> {
    return this.chat.sendMessage(message);
  }

  @Post('notifications')
  @HttpCode(200)
  @Access('service', { permission: 'extension-host' })
  async notify(@Body() { grant, ...notification }: HostNotificationRequest): Promise<NotificationSentResponse> {
    const { appId: app_id, user } = await this.grants.authorize(grant);
    if (!user) throw RunGrantErrors.noUser();
    return this.notifications.sendNotification({
      ...notification,
      app_id,
      user_id: user.userId,
      tenant_id: user.tenantId,
    });
  }
}
