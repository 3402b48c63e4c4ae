import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { SchedulePath, type AppSchedulesResponse, type ScheduleRun } from '@platform/contracts';
import { Access } from '@platform/guards';
import { SchedulesService } from './schedules.service.js';

@ApiExcludeController()
@Controller('v1/internal/apps/:app_id/schedules')
export class SchedulesController {
  constructor(private readonly schedules: SchedulesService) {}

  @Get()
  @Access('service', { permission: 'app-data' })
  listSchedules(@Param('app_id') appId: string): Promise<AppSchedulesResponse> {
    return this.schedules.listSchedules(appId);
  }

  @Post(':name/run')
  @HttpCode(202)
  @Access('service', { permission: 'app-data' })
  runSchedule(@Param() { app_id, name }: SchedulePath): Promise<ScheduleRun> {
    return this.schedules.runScheduleNow(app_id, name);
  }
}
