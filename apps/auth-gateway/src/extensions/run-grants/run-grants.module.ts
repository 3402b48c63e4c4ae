import { Module } from '@nestjs/common';
import { BackgroundRuns } from './background-runs.js';
import { Refusals } from './refusals.js';
import { RunGrantsController } from './run-grants.controller.js';
import { RunGrants } from './run-grants.service.js';
import { RunEligibility } from './run-eligibility.js';

@Module({
  controllers: [RunGrantsController],
  providers: [BackgroundRuns, Refusals, RunGrants, RunEligibility],
  exports: [RunGrants, RunEligibility],
})
export class RunGrantsModule {}
