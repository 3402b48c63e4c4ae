import { Module } from '@nestjs/common';
import { ActionSumsRepository } from './action-sums.repository.js';
import { ActionSumsService } from './action-sums.service.js';

/** Sums of actions by day. */
@Module({ providers: [ActionSumsRepository, ActionSumsService], exports: [ActionSumsRepository] })
export class ActionSumsModule {}
