import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { DeveloperConfigResponse, GiveTierRequest, GiveTierResponse } from '@platform/contracts';
import { Access, CurrentCaller, type Caller } from '@platform/guards';
import { DeveloperTiersService } from './developer-tiers.service.js';

/** Tiers of developers, for administrators of the platform and trusted backends. */
@ApiTags('Administration')
@Controller('v1/admin/developer')
export class AdminDevelopersController {
  constructor(private readonly tiers: DeveloperTiersService) {}

  /** Gives a developer any tier, free of charge and without an end date. */
  @Post('tier')
  @HttpCode(200)
  @Access('adminOrService', { permission: 'app-review', money: true })
  giveDeveloperTier(@CurrentCaller() caller: Caller, @Body() request: GiveTierRequest): Promise<GiveTierResponse> {
    return this.tiers.grantTier(caller, request);
  }

  /** Limits and prices of the tiers, as configured. */
  @Get('config')
  @Access('adminOrService', { permission: 'app-review' })
  getDeveloperConfig(@CurrentCaller() caller: Caller): DeveloperConfigResponse {
    return this.tiers.getDeveloperConfig(caller);
  }
}
