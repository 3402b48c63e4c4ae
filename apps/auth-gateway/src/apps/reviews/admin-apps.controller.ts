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
import { AppReviewsService } from './app-reviews.service.js';

/**
 * Reviews, status and deletion of apps, for administrators of the platform and trusted backends.
 */
@ApiTags('Administration')
@Controller('v1/admin/apps')
export class AdminAppsController {
  constructor(private readonly reviews: AppReviewsService) {}

  /** Apps and versions that wait for a review, longest waiting first. */
  @Get('pending')
  @Access('adminOrService', { permission: 'app-review' })
  listPendingApps(@CurrentCaller() caller: Caller, @Query() page: ListPendingAppsQuery): Promise<PendingAppResponse[]> {
    return this.reviews.listPendingApps(caller, page);
  }

  /**
   * The content of an app that waits for a review, as it would be published, with its `version` and
   * `sha256`. Send these with your decision.
   */
  @Get(':app_id/pending')
  @Access('adminOrService', { permission: 'app-review' })
  showPendingApp(
    @CurrentCaller() caller: Caller,
    @Param('app_id') appId: string,
    @Query() query: ShowPendingAppQuery,
  ): Promise<PendingContentResponse> {
    return this.reviews.getPendingApp(caller, appId, query);
  }

  /**
   * Approves an app: publishes the submitted version in the marketplace. If the app is already
   * there, approves the version that waits for a review. Answers 409 if nothing is in review, or
   * the present content is not the one that `version` and `sha256` name.
   */
  @Post(':app_id/approve')
  @HttpCode(200)
  @Access('adminOrService', { permission: 'app-review' })
  approveApp(
    @CurrentCaller() caller: Caller,
    @Param('app_id') appId: string,
    @Body() request: ApproveAppRequest,
  ): Promise<ApproveAppResponse> {
    return this.reviews.approveApp(caller, appId, request);
  }

  /**
   * Rejects an app in review: makes it a draft again and tells its developer the reason. If the app
   * is in the marketplace, rejects the version that waits for a review; the app stays there.
   * Answers 409 if nothing is in review, or the present content is not the one that `version` and
   * `sha256` name.
   */
  @Post(':app_id/reject')
  @HttpCode(200)
  @Access('adminOrService', { permission: 'app-review' })
  rejectApp(
    @CurrentCaller() caller: Caller,
    @Param('app_id') appId: string,
    @Body() request: RejectAppRequest,
  ): Promise<RejectAppResponse> {
    return this.reviews.rejectApp(caller, appId, request);
  }

  /**
   * Sets the status of an app without a review. Answers 409 if an app without a deployed version
   * gets the status `active`, or if that needs the `version` and `sha256` of content that you have
   * looked at.
   */
  @Post(':app_id/status')
  @HttpCode(200)
  @Access('adminOrService', { permission: 'app-review' })
  setAppStatus(
    @CurrentCaller() caller: Caller,
    @Param('app_id') appId: string,
    @Body() request: SetAppStatusRequest,
  ): Promise<AppStatusResponse> {
    return this.reviews.setAppStatus(caller, appId, request);
  }

  /**
   * Deletes an app with all its versions, and uninstalls it for all users. Answers 409 for an app
   * that is in review or in the marketplace, unless `force` is true.
   */
  @Delete(':app_id')
  @Access('adminOrService', { permission: 'app-review' })
  deleteAnyApp(
    @CurrentCaller() caller: Caller,
    @Param('app_id') appId: string,
    @Body() request: DeleteAnyAppRequest,
  ): Promise<AppDeletedResponse> {
    return this.reviews.deleteAnyApp(caller, appId, request);
  }
}
