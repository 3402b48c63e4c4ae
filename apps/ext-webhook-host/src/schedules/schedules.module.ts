import { Module, type DynamicModule } from '@nestjs/common';
import { AppSchedules } from './schedules.service.js';
import { ScheduleClock } from './schedule-clock.worker.js';
import { ScheduleRunner } from './schedule-runs.worker.js';
import { ScheduleRuns } from './schedule-runs.service.js';
import { SchedulesController } from './schedules.controller.js';

/** Schedules of apps. */
@Module({})
export class SchedulesModule {
  /** Registers the module. `runs` provides the runs. */
  static register(runs: DynamicModule): DynamicModule {
    return {
      module: SchedulesModule,
      imports: [runs],
      controllers: [SchedulesController],
      providers: [AppSchedules, ScheduleClock, ScheduleRunner, ScheduleRuns],
      exports: [AppSchedules, ScheduleRuns],
    };
  }
}
