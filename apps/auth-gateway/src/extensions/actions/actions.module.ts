import { Module } from '@nestjs/common';
import { DeveloperModule } from '../../apps/developer/developer.module.js';
import { ActionLog } from './action-log.js';
import { ActionStats } from './action-stats.js';
import { ActionsController } from './actions.controller.js';
import { Actions } from './actions.service.js';

/** What users did with apps. */
@Module({
  imports: [DeveloperModule],
  controllers: [ActionsController],
  providers: [ActionLog, Actions, ActionStats],
  exports: [ActionLog],
})
export class ActionsModule {}
