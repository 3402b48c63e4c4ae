import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  AppDeletedResponse,
  AppStatusResponse,
  ApproveAppRequest,
  ApproveAppResponse,
  DeleteAnyAppRequest,
  ListPendingAppsQuery,
  PendingAppResponse,
  PendingContentResponse,
  RejectAppRequest,
  RejectAppResponse,
  SetAppStatusRequest,
  ShowPendingAppQuery,
} from '@platform/contracts';
import { Access, CurrentCaller, type Caller } from '@platform/guards';
import { AppReviews } from './app-reviews.service.js';

/** For the platform's own administrators and trusted backends. */
@ApiTags('Administration')
@Controller('v1/admin/apps')
export class AdminAppsController {
  constructor(private readonly reviews: AppReviews) {}

  /** The apps that wait for a review, those that wait longest first. */
  @Get('pending')
  @Access('adminOrService', { permission: 'app-review' })
  listPendingApps(@CurrentCaller() caller: Caller, @Query() page: ListPendingAppsQuery): Promise<PendingAppResponse[]> {
    return this.reviews.pending(caller, page);
  }

  /** What waits of an app, as it would be published: what a decision about it is about. */
  @Get(':app_id/pending')
  @Access('adminOrService', { permission: 'app-review' })
  showPendingApp(
    @CurrentCaller() caller: Caller,
    @Param('app_id') appId: string,
    @Query() query: ShowPendingAppQuery,
  ): Promise<PendingContentResponse> {
    return this.reviews.show(caller, appId, query);
  }

  /** Puts an app into the marketplace, in the version that was submitted; of one that is there, has the version run that waits. */
  @Post(':app_id/approve')
  @HttpCode(200)
  @Access('adminOrService', { permission: 'app-review' })
  approveApp(
    @CurrentCaller() caller: Caller,
    @Param('app_id') appId: string,
    @Body() request: ApproveAppRequest,
  ): Promise<ApproveAppResponse> {
    return this.reviews.approve(caller, appId, request);
  }

  /** Makes an app a draft again and tells its developer why. */
  @Post(':app_id/reject')
  @HttpCode(200)
  @Access('adminOrService', { permission: 'app-review' })
  rejectApp(
    @CurrentCaller() caller: Caller,
    @Param('app_id') appId: string,
    @Body() request: RejectAppRequest,
  ): Promise<RejectAppResponse> {
    return this.reviews.reject(caller, appId, request);
  }

  /** Sets the status without a review. */
  @Post(':app_id/status')
  @HttpCode(200)
  @Access('adminOrService', { permission: 'app-review' })
  setAppStatus(
    @CurrentCaller() caller: Caller,
    @Param('app_id') appId: string,
    @Body() request: SetAppStatusRequest,
  ): Promise<AppStatusResponse> {
    return this.reviews.setStatus(caller, appId, request);
  }

  /** Deletes an app with all its versions, and removes it from whoever has it installed. */
  @Delete(':app_id')
  @Access('adminOrService', { permission: 'app-review' })
  deleteAnyApp(
    @CurrentCaller() caller: Caller,
    @Param('app_id') appId: string,
    @Body() request: DeleteAnyAppRequest,
  ): Promise<AppDeletedResponse> {
    return this.reviews.delete(caller, appId, request);
  }
}
