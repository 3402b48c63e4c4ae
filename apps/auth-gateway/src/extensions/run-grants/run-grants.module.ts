import { Module } from '@nestjs/common';
import { BackgroundRuns } from './background-runs.service.js';
import { Refusals } from './grant-refusals.service.js';
import { RunGrantsController } from './run-grants.controller.js';
import { RunGrants } from './run-grants.service.js';
import { RunEligibility } from './run-eligibility.service.js';

@Module({
  controllers: [RunGrantsController],
  providers: [BackgroundRuns, Refusals, RunGrants, RunEligibility],
  exports: [RunGrants, RunEligibility],
})
export class RunGrantsModule {}
