import { Controller, Get, Inject } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '@platform/guards';
import { Readiness } from '@platform/platform';
import { HealthResponse } from './health.dto.js';

@ApiTags('Registry')
@Controller('v1/health')
export class HealthController {
  constructor(@Inject(Readiness) private readonly readiness: Readiness) {}

  /** Whether the registry can serve: the probe of the public interface. Answers 503 while it cannot. */
  @Get()
  @Access('public')
  async health(): Promise<HealthResponse> {
    await this.readiness.verify();
    return { status: 'ok' };
  }
}
