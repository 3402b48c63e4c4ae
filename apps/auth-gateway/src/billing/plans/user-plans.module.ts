import { Module } from '@nestjs/common';
import { PlansModule, UsageModule } from '@platform/billing';
import { ProvisioningModule } from '../../identity/provisioning/provisioning.module.js';
import { PlanReads } from './user-plans.service.js';
import { PlanUpkeep } from './plan-upkeep.worker.js';
import { PlansController } from './plans.controller.js';
import { UsageMeters } from './usage-meters.registry.js';

@Module({
  imports: [PlansModule, ProvisioningModule, UsageModule],
  controllers: [PlansController],
  providers: [PlanReads, PlanUpkeep, UsageMeters],
  exports: [PlanReads, UsageMeters],
})
export class PlansOfUsersModule {}
