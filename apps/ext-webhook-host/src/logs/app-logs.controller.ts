import { Controller, Get, Inject, Param, Query, Req } from '@nestjs/common';
import { AppLogsQuery, AppLogsResponse } from '@platform/contracts';
import { Access } from '@platform/guards';
import type { Request } from 'express';
import { closed } from '../runs/closed.js';
import { AppLogs } from './app-logs.service.js';

@Controller('v1/internal/apps/:app_id/logs')
export class AppLogsController {
  constructor(@Inject(AppLogs) private readonly logs: AppLogs) {}

  @Get()
  @Access('service')
  readLogs(@Req() request: Request, @Param('app_id') appId: string, @Query() query: AppLogsQuery): Promise<AppLogsResponse> {
    return this.logs.read(appId, query, closed(request));
  }
}
