import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AppStatusResponse, AppSubmitResponse } from '@platform/contracts';
import { Access, CurrentUser, UserLimit, type UserCaller } from '@platform/guards';
import { PORTAL_LIMIT } from '../developers/developers.limits.js';
import { AppSubmissions } from './app-submissions.service.js';

/** A developer's way into the marketplace, and out of it. */
@ApiTags('Developer portal')
@Controller('v1/developer/apps')
export class AppSubmissionsController {
  constructor(private readonly submissions: AppSubmissions) {}

  /** Asks for a review of the version that runs now. Answers 409 with the checks when something that is required is missing. */
  @Post(':app_id/submit')
  @HttpCode(200)
  @Access('bearerOrActingUser', { keyScope: 'apps:write', permission: 'developer' })
  @UserLimit(PORTAL_LIMIT)
  submitApp(@CurrentUser() user: UserCaller, @Param('app_id') appId: string): Promise<AppSubmitResponse> {
    return this.submissions.submit(user, appId);
  }

  /** Takes an app out of review, or out of the marketplace. It can be submitted again. */
  @Post(':app_id/suspend')
  @HttpCode(200)
  @Access('bearerOrActingUser', { keyScope: 'apps:write', permission: 'developer' })
  @UserLimit(PORTAL_LIMIT)
  suspendApp(@CurrentUser() user: UserCaller, @Param('app_id') appId: string): Promise<AppStatusResponse> {
    return this.submissions.suspend(user, appId);
  }
}
