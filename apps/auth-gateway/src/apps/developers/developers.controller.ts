import { Body, Controller, Get, HttpCode, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  DeveloperProfileResponse,
  DeveloperRegisterRequest,
  DeveloperRegistrationResponse,
  UpdateTierRequest,
  UpdateTierResponse,
} from '@platform/contracts';
import { Access, CurrentUser, UserLimit, type UserCaller } from '@platform/guards';
import { Idempotent } from '../../kernel/idempotency/idempotent.js';
import { PANEL_PAGES } from '../../billing/releases/panel-pages.js';
import { DeveloperTiers } from './developer-tiers.service.js';
import { PORTAL_LIMIT } from './developers.limits.js';
import { Developers } from './developers.service.js';

@ApiTags('Developer portal')
@Controller('v1/developer')
export class DevelopersController {
  constructor(
    private readonly developers: Developers,
    private readonly tiers: DeveloperTiers,
  ) {}

  /** Makes the user a developer, once. A tier that costs credits is paid for a year, or nobody is registered; command lines and API keys cannot take one. */
  @Post('register')
  @HttpCode(200)
  @Access('bearerOrActingUser', { keyScope: 'apps:write', permission: 'developer', money: false })
  @UserLimit(PORTAL_LIMIT)
  @Idempotent()
  registerDeveloper(@CurrentUser() user: UserCaller, @Body() request: DeveloperRegisterRequest): Promise<DeveloperRegistrationResponse> {
    return this.developers.register(user, request);
  }

  /** The developer that the user is; 403 for everybody else. */
  @Get('profile')
  @Access('bearerOrActingUser', { keyScope: 'apps:read', permission: 'developer' })
  getDeveloperProfile(@CurrentUser() user: UserCaller): Promise<DeveloperProfileResponse> {
    return this.developers.profile(user);
  }

  /**
   * Moves to another tier. A higher one costs credits of the caller's wallet, for a year from now; a lower one is free and at once, and gives nothing
   * back. The same tier again changes nothing. When the year ends, the next one is paid; where the wallet cannot, the tier becomes `explorer`.
   */
  @Put('tier')
  @Access('sessionOrActingUser', { permission: 'developer', money: PANEL_PAGES.earnings })
  @UserLimit(PORTAL_LIMIT)
  updateDeveloperTier(@CurrentUser() user: UserCaller, @Body() request: UpdateTierRequest): Promise<UpdateTierResponse> {
    return this.tiers.update(user, request);
  }
}
