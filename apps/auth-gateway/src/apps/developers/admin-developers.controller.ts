import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { DeveloperConfigResponse, GiveTierRequest, GiveTierResponse } from '@platform/contracts';
import { Access, CurrentCaller, type Caller } from '@platform/guards';
import { DeveloperTiers } from './developer-tiers.service.js';

/** For the platform's own administrators and trusted backends. */
@ApiTags('Administration')
@Controller('v1/admin/developer')
export class AdminDevelopersController {
  constructor(private readonly tiers: DeveloperTiers) {}

  /** Gives a developer a tier, free of charge. */
  @Post('tier')
  @HttpCode(200)
  @Access('adminOrService', { permission: 'app-review', money: true })
  giveDeveloperTier(@CurrentCaller() caller: Caller, @Body() request: GiveTierRequest): Promise<GiveTierResponse> {
    return this.tiers.give(caller, request);
  }

  /** What the tiers allow, by the configuration, and what they cost. */
  @Get('config')
  @Access('adminOrService', { permission: 'app-review' })
  getDeveloperConfig(@CurrentCaller() caller: Caller): DeveloperConfigResponse {
    return this.tiers.tiers(caller);
  }
}
