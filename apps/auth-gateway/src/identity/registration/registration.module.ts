import { Module } from '@nestjs/common';
import { PasswordsModule } from '../passwords/passwords.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { RegistrationController } from './registration.controller.js';
import { RegistrationService } from './registration.service.js';
import { ReplacedAccounts } from './replaced-accounts.js';

/**
 * Users that backends create, and the deletion of unconfirmed accounts that a new account replaces.
 */
@Module({
  imports: [PasswordsModule, SessionsModule],
  controllers: [RegistrationController],
  providers: [RegistrationService, ReplacedAccounts],
})
export class RegistrationModule {}
