import { Module } from '@nestjs/common';
import { PasswordsModule } from '../passwords/passwords.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { KnownDevices } from './known-devices.service.js';
import { LoginThrottling } from './login-throttling.service.js';
import { LoginController } from './login.controller.js';
import { LoginService } from './login.service.js';

/** Login with a password, and protection against password guessing. */
@Module({
  imports: [PasswordsModule, SessionsModule],
  controllers: [LoginController],
  providers: [KnownDevices, LoginService, LoginThrottling],
  exports: [KnownDevices, LoginThrottling],
})
export class LoginModule {}
