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
    return this.runs.createGrants(runs);
  }

  @Post('exchange')
  @HttpCode(200)
  @Access('service', { permission: 'extension-host' })
  exchange(@Body() request: RunGrantExchangeRequest): Promise<RunGrantExchangeResponse> {
    return this.runs.exchangeGrant(request);
  }

  @Post('users')
  @HttpCode(200)
  @Access('service', { permission: 'extension-host' })
  findUsers(@Body() request: RunUsersRequest): Promise<RunUsersResponse> {
    return this.runs.findUsers(request);
  }

  @Post('check')
  @HttpCode(204)
  @Access('service', { permission: 'extension-host' })
  check(@Body() request: RunGrantCheckRequest): Promise<void> {
    return this.runs.assertRunAllowed(request);
  }
}
