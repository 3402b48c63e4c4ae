import { Module, type DynamicModule } from '@nestjs/common';
import { SchedulesService } from './schedules.service.js';
import { ScheduleClockWorker } from './schedule-clock.worker.js';
import { ScheduleRunsWorker } from './schedule-runs.worker.js';
import { ScheduleRunsService } from './schedule-runs.service.js';
import { SchedulesController } from './schedules.controller.js';

/** Schedules of apps. */
@Module({})
export class SchedulesModule {
  /** Registers the module. `runs` provides the runs. */
  static withRuns(runs: DynamicModule): DynamicModule {
    return {
      module: SchedulesModule,
      imports: [runs],
      controllers: [SchedulesController],
      providers: [SchedulesService, ScheduleClockWorker, ScheduleRunsWorker, ScheduleRunsService],
      exports: [SchedulesService, ScheduleRunsService],
    };
  }
}
