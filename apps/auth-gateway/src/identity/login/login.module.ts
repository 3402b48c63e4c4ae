import { Module } from '@nestjs/common';
import { PasswordsModule } from '../passwords/passwords.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { KnownDevicesService } from './known-devices.service.js';
import { LoginThrottlingService } from './login-throttling.service.js';
import { LoginController } from './login.controller.js';
import { LoginService } from './login.service.js';

/** Login with a password, and protection against password guessing. */
@Module({
  imports: [PasswordsModule, SessionsModule],
  controllers: [LoginController],
  providers: [KnownDevicesService, LoginService, LoginThrottlingService],
  exports: [KnownDevicesService, LoginThrottlingService],
})
export class LoginModule {}
