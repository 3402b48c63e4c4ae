import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AppHealthResponse } from '@platform/contracts';
import { Access, RateLimit } from '@platform/guards';
import { MINUTE, policy } from '../../kernel/rate-limits.js';
import { AppHealth } from './app-health.service.js';

/** By one address. */
const HEALTH_LIMIT = policy('app-health', 120, MINUTE);

@ApiTags('Marketplace and me')
@Controller('v1/ext/:app_id')
export class AppHealthController {
  constructor(private readonly health: AppHealth) {}

  /**
   * How an app of the marketplace does: `healthy`, `degraded` or `unhealthy`, by what became of the calls of the last hour, where each caller counts once.
   * `{"status": "unknown"}` for anything else, whether there is such an app or not.
   */
  @Get('health')
  @Access('public')
  @RateLimit(HEALTH_LIMIT)
  getAppHealth(@Param('app_id') appId: string): Promise<AppHealthResponse> {
    return this.health.of(appId);
  }
}
