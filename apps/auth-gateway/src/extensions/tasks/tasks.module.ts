import { Module } from '@nestjs/common';
import { CredentialsModule } from '../../identity/credentials/credentials.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { RunGrantsModule } from '../run-grants/run-grants.module.js';
import { TaskProgress } from './task-progress.service.js';
import { TaskRuns } from './tasks.worker.js';
import { TaskStates } from './task-states.service.js';
import { TasksController } from './tasks.controller.js';
import { Tasks } from './tasks.service.js';

/** Calls that continue after their request. */
@Module({
  imports: [CallsModule, CredentialsModule, RunGrantsModule],
  controllers: [TasksController],
  providers: [TaskProgress, TaskRuns, TaskStates, Tasks],
  exports: [TaskProgress, Tasks],
})
export class TasksModule {}
