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

  /** Makes the user a developer, once. */
  @Post('register')
  @HttpCode(200)
  @Access('bearerOrActingUser', { keyScope: 'apps:write', permission: 'developer' })
  @UserLimit(PORTAL_LIMIT)
  registerDeveloper(@CurrentUser() user: UserCaller, @Body() request: DeveloperRegisterRequest): Promise<DeveloperRegistrationResponse> {
    return this.developers.register(user, request);
  }

  /** The developer that the user is; 403 for everybody else. */
  @Get('profile')
  @Access('bearerOrActingUser', { keyScope: 'apps:read', permission: 'developer' })
  getDeveloperProfile(@CurrentUser() user: UserCaller): Promise<DeveloperProfileResponse> {
    return this.developers.profile(user);
  }

  /** Moves down to a lower tier. Higher ones cost credits and answer 402: they cannot be paid for yet. */
  @Put('tier')
  @Access('bearerOrActingUser', { keyScope: 'apps:write', permission: 'developer' })
  @UserLimit(PORTAL_LIMIT)
  updateDeveloperTier(@CurrentUser() user: UserCaller, @Body() request: UpdateTierRequest): Promise<UpdateTierResponse> {
    return this.tiers.update(user, request);
  }
}
