import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { CallResponse, RunRequest } from '@platform/contracts';
import { Access } from '@platform/guards';
import { DisconnectSignal, type CancellationSignal } from '@platform/platform';
import { RunsService } from './runs.service.js';

@Controller('v1/internal/runs')
export class RunsController {
  constructor(private readonly runs: RunsService) {}

  @Post()
  @HttpCode(200)
  @Access('service', { permission: 'runs' })
  runFunction(@Body() run: RunRequest, @DisconnectSignal() gone: CancellationSignal): Promise<CallResponse> {
    return this.runs.runFunction(run, gone);
  }
}
