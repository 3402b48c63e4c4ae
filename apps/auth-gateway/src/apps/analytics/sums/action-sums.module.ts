import { Module } from '@nestjs/common';
import { ActionSumsRepository } from './action-sums.repository.js';
import { ActionSumsService } from './action-sums.worker.js';

/** Daily sums of actions. */
@Module({ providers: [ActionSumsRepository, ActionSumsService], exports: [ActionSumsRepository] })
export class ActionSumsModule {}
