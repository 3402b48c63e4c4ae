import { Module } from '@nestjs/common';
import { SessionsModule } from '../sessions/sessions.module.js';
import { CliCodesController } from './cli-codes.controller.js';
import { CliCodes } from './cli-codes.service.js';
import { DeviceApprovals } from './device-approvals.service.js';
import { DeviceLoginController } from './device-login.controller.js';
import { DeviceLogins } from './device-logins.service.js';

/** Login of command lines. */
@Module({
  imports: [SessionsModule],
  controllers: [CliCodesController, DeviceLoginController],
  providers: [CliCodes, DeviceApprovals, DeviceLogins],
})
export class CliLoginModule {}
