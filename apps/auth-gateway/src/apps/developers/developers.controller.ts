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
import { DeveloperTiersService } from './developer-tiers.service.js';
import { PORTAL_LIMIT } from './developers.limits.js';
import { DevelopersService } from './developers.service.js';

@ApiTags('Developer portal')
@Controller('v1/developer')
export class DevelopersController {
  constructor(
    private readonly developers: DevelopersService,
    private readonly tiers: DeveloperTiersService,
  ) {}

  /**
   * Registers the caller as a developer. Works once per user. A tier with a price is paid for a
   * year; if the wallet cannot pay, the caller is not registered. Command lines, API keys and apps
   * cannot take a paid tier.
   */
  @Post('register')
  @HttpCode(200)
  @Access('bearerOrActingUser', { keyScope: 'apps:write', permission: 'developer', money: false })
  @UserLimit(PORTAL_LIMIT)
  @Idempotent()
  registerDeveloper(
    @CurrentUser() user: UserCaller,
    @Body() request: DeveloperRegisterRequest,
  ): Promise<DeveloperRegistrationResponse> {
    return this.developers.registerDeveloper(user, request);
  }

  /** Developer profile of the caller. Answers 403 if the caller is not a developer. */
  @Get('profile')
  @Access('bearerOrActingUser', { keyScope: 'apps:read', permission: 'developer' })
  getDeveloperProfile(@CurrentUser() user: UserCaller): Promise<DeveloperProfileResponse> {
    return this.developers.getDeveloperProfile(user);
  }

  /**
   * Moves the caller to another tier. A higher tier costs credits of the caller's wallet and lasts
   * a year from now. A lower tier is free, applies at once and gives no refund; a paid one lasts
   * for the rest of the paid year. The present tier changes nothing. At the end of a year the next
   * year is charged; if the wallet cannot pay, the tier becomes `explorer`.
   */
  @Put('tier')
  @Access('sessionOrActingUser', { permission: 'developer', money: PANEL_PAGES.earnings })
  @UserLimit(PORTAL_LIMIT)
  updateDeveloperTier(
    @CurrentUser() user: UserCaller,
    @Body() request: UpdateTierRequest,
  ): Promise<UpdateTierResponse> {
    return this.tiers.updateTier(user, request);
  }
}
