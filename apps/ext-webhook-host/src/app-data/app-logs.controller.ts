import { Controller, Get, Param, Query } from '@nestjs/common';
import { AppLogsQuery, AppLogsResponse } from '@platform/contracts';
import { Access } from '@platform/guards';
import { DisconnectSignal, type CancellationSignal } from '@platform/platform';
import { HostAppLogsService } from '../kernel/logs/host-app-logs.service.js';

@Controller('v1/internal/apps/:app_id/logs')
export class AppLogsController {
  constructor(private readonly logs: HostAppLogsService) {}

  @Get()
  @Access('service', { permission: 'app-data' })
  readLogs(
    @Param('app_id') appId: string,
    @Query() query: AppLogsQuery,
    @DisconnectSignal() gone: CancellationSignal,
  ): Promise<AppLogsResponse> {
    return this.logs.readLines(appId, query, gone);
  }
}
