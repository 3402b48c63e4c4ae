import { Module } from '@nestjs/common';
import { BackgroundRunsService } from './background-runs.service.js';
import { GrantRefusalsService } from './grant-refusals.service.js';
import { RunGrantsController } from './run-grants.controller.js';
import { RunGrantsService } from './run-grants.service.js';
import { RunEligibilityService } from './run-eligibility.service.js';

@Module({
  controllers: [RunGrantsController],
  providers: [BackgroundRunsService, GrantRefusalsService, RunGrantsService, RunEligibilityService],
  exports: [RunGrantsService, RunEligibilityService],
})
export class RunGrantsModule {}
