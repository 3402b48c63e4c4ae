import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { SmokeTestRequest, type SmokeTestResponse } from '@platform/contracts';
import { Access } from '@platform/guards';
import { SmokeTestsService } from './smoke-tests.service.js';

@ApiExcludeController()
@Controller('v1/internal/smoke-tests')
export class SmokeTestsController {
  constructor(private readonly smokeTests: SmokeTestsService) {}

  @Post()
  @HttpCode(200)
  @Access('service', { permission: 'runs' })
  run(@Body() request: SmokeTestRequest): Promise<SmokeTestResponse> {
    return this.smokeTests.runSmokeTest(request);
  }
}
