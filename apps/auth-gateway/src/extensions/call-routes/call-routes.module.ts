import { Module } from '@nestjs/common';
import { CallsModule } from '../calls/calls.module.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { CallAnswers } from './call-answers.js';
import { CallsController } from './calls.controller.js';

/** The routes by which functions are called, at once or by a task. */
@Module({ imports: [CallsModule, TasksModule], controllers: [CallsController], providers: [CallAnswers] })
export class CallRoutesModule {}
