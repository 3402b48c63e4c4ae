import { Module } from '@nestjs/common';
import { CallsModule } from '../calls/calls.module.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { AsyncCallsService } from './async-calls.service.js';
import { CallsController } from './calls.controller.js';

/** Routes that call functions, at once or as a task. */
@Module({ imports: [CallsModule, TasksModule], controllers: [CallsController], providers: [AsyncCallsService] })
export class CallRoutesModule {}
