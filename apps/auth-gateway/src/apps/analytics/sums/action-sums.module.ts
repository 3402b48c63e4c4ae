import { Module } from '@nestjs/common';
import { ActionSumsRepository } from './action-sums.repository.js';
import { ActionSumsWorker } from './action-sums.worker.js';

/** Daily sums of actions. */
@Module({ providers: [ActionSumsRepository, ActionSumsWorker], exports: [ActionSumsRepository] })
export class ActionSumsModule {}
