import { Module } from '@nestjs/common';
import { SessionsModule } from '../sessions/sessions.module.js';
import { CliCodesController } from './cli-codes.controller.js';
import { CliCodesService } from './cli-codes.service.js';
import { DeviceApprovalsService } from './device-approvals.service.js';
import { DeviceLoginController } from './device-login.controller.js';
import { DeviceLoginsService } from './device-logins.service.js';

/** Login of command lines. */
@Module({
  imports: [SessionsModule],
  controllers: [CliCodesController, DeviceLoginController],
  providers: [CliCodesService, DeviceApprovalsService, DeviceLoginsService],
})
export class CliLoginModule {}
