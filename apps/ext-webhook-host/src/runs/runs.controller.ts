import { Body, Controller, HttpCode, Inject, Post, Req } from '@nestjs/common';
import { CallResponse, RunRequest } from '@platform/contracts';
import { Access } from '@platform/guards';
import type { Request } from 'express';
import { closed } from './closed.js';
import { Runs } from './runs.service.js';

@Controller('v1/internal/runs')
export class RunsController {
  constructor(@Inject(Runs) private readonly runs: Runs) {}

  @Post()
  @HttpCode(200)
  @Access('service')
  runFunction(@Req() request: Request, @Body() run: RunRequest): Promise<CallResponse> {
    return this.runs.call(run, closed(request));
  }
}
