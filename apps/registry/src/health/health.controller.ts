import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { HealthResponse } from '@platform/contracts';
import { Access } from '@platform/guards';
import { ReadinessService } from '@platform/platform';

@ApiTags('Registry')
@Controller(['v1/health', 'health'])
export class HealthController {
  constructor(private readonly readiness: ReadinessService) {}

  /**
   * Reports the health of the registry. It answers 503 while the registry cannot serve; `checks`
   * then names the cause.
   */
  @Get()
  @Access('public')
  async health(): Promise<HealthResponse> {
    const { database = 'ok' } = await this.readiness.runChecks();
    return { status: 'ok', database };
  }
}
