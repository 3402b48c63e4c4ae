import { Module } from '@nestjs/common';
import { CredentialsModule } from '../../identity/credentials/credentials.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { RunGrantsModule } from '../run-grants/run-grants.module.js';
import { TaskProgressService } from './task-progress.service.js';
import { TasksWorker } from './tasks.worker.js';
import { TaskStatesService } from './task-states.service.js';
import { TasksController } from './tasks.controller.js';
import { TasksService } from './tasks.service.js';

/** Calls that continue after their request. */
@Module({
  imports: [CallsModule, CredentialsModule, RunGrantsModule],
  controllers: [TasksController],
  providers: [TaskProgressService, TasksWorker, TaskStatesService, TasksService],
  exports: [TaskProgressService, TasksService],
})
export class TasksModule {}
