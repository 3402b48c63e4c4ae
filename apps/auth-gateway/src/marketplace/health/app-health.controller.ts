import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AppHealthResponse } from '@platform/contracts';
import { Access, RateLimit } from '@platform/guards';
import { MINUTE, policy } from '../../kernel/rate-limits.js';
import { AppHealthService } from './app-health.service.js';

/** Requests per client address. */
const HEALTH_LIMIT = policy('app-health', 120, MINUTE);

@ApiTags('Marketplace and me')
@Controller('v1/ext/:app_id')
export class AppHealthController {
  constructor(private readonly health: AppHealthService) {}

  /**
   * Returns the health of an app in the marketplace: `healthy`, `degraded` or `unhealthy`, from the
   * results of its calls in the last hour. Each caller counts once. The answer is `{"status":
   * "unknown"}` for any other app id, whether the app exists or not.
   */
  @Get('health')
  @Access('public')
  @RateLimit(HEALTH_LIMIT)
  getAppHealth(@Param('app_id') appId: string): Promise<AppHealthResponse> {
    return this.health.getAppHealth(appId);
  }
}
