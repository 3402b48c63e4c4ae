import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AppStatusResponse, AppSubmitResponse } from '@platform/contracts';
import { Access, CurrentUser, UserLimit, type UserCaller } from '@platform/guards';
import { PORTAL_LIMIT } from '../developers/developers.limits.js';
import { AppSubmissionsService } from './app-submissions.service.js';

/** Submission of apps to the marketplace, and their withdrawal. */
@ApiTags('Developer portal')
@Controller('v1/developer/apps')
export class AppSubmissionsController {
  constructor(private readonly submissions: AppSubmissionsService) {}

  /**
   * Submits the served version of an app for review. Answers 409 with the list of checks if a
   * required one fails.
   */
  @Post(':app_id/submit')
  @HttpCode(200)
  @Access('bearerOrActingUser', { keyScope: 'apps:write', permission: 'developer' })
  @UserLimit(PORTAL_LIMIT)
  submitApp(@CurrentUser() user: UserCaller, @Param('app_id') appId: string): Promise<AppSubmitResponse> {
    return this.submissions.submitApp(user, appId);
  }

  /**
   * Withdraws an app from review or from the marketplace. It can be submitted again. Answers 409 if
   * it is in neither.
   */
  @Post(':app_id/suspend')
  @HttpCode(200)
  @Access('bearerOrActingUser', { keyScope: 'apps:write', permission: 'developer' })
  @UserLimit(PORTAL_LIMIT)
  suspendApp(@CurrentUser() user: UserCaller, @Param('app_id') appId: string): Promise<AppStatusResponse> {
    return this.submissions.suspendApp(user, appId);
  }
}
