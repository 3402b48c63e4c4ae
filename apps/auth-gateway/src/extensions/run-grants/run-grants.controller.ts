import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import {
  RunGrantCheckRequest,
  RunGrantExchangeRequest,
  type RunGrantExchangeResponse,
  RunGrantsRequest,
  type RunGrantsResponse,
  RunUsersRequest,
  type RunUsersResponse,
} from '@platform/contracts';
import { Access } from '@platform/guards';
import { BackgroundRunsService } from './background-runs.service.js';

/** Gives and checks run grants for the host. */
@ApiExcludeController()
@Controller('v1/internal/run-grants')
export class RunGrantsController {
  constructor(private readonly runs: BackgroundRunsService) {}

  @Post()
  @HttpCode(200)
  @Access('service', { permission: 'extension-host' })
  give(@Body() { runs }: RunGrantsRequest): Promise<RunGrantsResponse> {
    return this.runs.give(runs);
  }

  @Post('exchange')
  @HttpCode(200)
  @Access('service', { permission: 'extension-host' })
  exchange(@Body() request: RunGrantExchangeRequest): Promise<RunGrantExchangeResponse> {
    return this.runs.exchange(request);
  }

  @Post('users')
  @HttpCode(200)
  @Access('service', { permission: 'extension-host' })
  findUsers(@Body() request: RunUsersRequest): Promise<RunUsersResponse> {
    return this.runs.usersOf(request);
  }

  @Post('check')
  @HttpCode(204)
  @Access('service', { permission: 'extension-host' })
  check(@Body() request: RunGrantCheckRequest): Promise<void> {
    return this.runs.check(request);
  }
}
