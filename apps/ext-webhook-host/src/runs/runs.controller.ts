import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { CallResponse, RunRequest } from '@platform/contracts';
import { Access } from '@platform/guards';
import { CallerGone, type CancellationSignal } from '@platform/platform';
import { Runs } from './runs.service.js';

@Controller('v1/internal/runs')
export class RunsController {
  constructor(@Inject(Runs) private readonly runs: Runs) {}

  @Post()
  @HttpCode(200)
  @Access('service', { permission: 'runs' })
  runFunction(@Body() run: RunRequest, @CallerGone() gone: CancellationSignal): Promise<CallResponse> {
    return this.runs.call(run, gone);
  }
}
