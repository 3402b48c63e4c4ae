import { Module } from '@nestjs/common';
import { PlansModule, UsageModule } from '@platform/billing';
import { ProvisioningModule } from '../../identity/provisioning/provisioning.module.js';
import { UserPlansService } from './user-plans.service.js';
import { PlanUpkeepWorker } from './plan-upkeep.worker.js';
import { PlansController } from './plans.controller.js';
import { UsageMetersRegistry } from './usage-meters.registry.js';

@Module({
  imports: [PlansModule, ProvisioningModule, UsageModule],
  controllers: [PlansController],
  providers: [UserPlansService, PlanUpkeepWorker, UsageMetersRegistry],
  exports: [UserPlansService, UsageMetersRegistry],
})
export class UserPlansModule {}
