import { Module } from '@nestjs/common';
import { LoginModule } from '../login/login.module.js';
import { MailModule } from '../mail/mail.module.js';
import { PasswordsModule } from '../passwords/passwords.module.js';
import { PendingSignupsModule } from '../pending-signups/pending-signups.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { SignupController } from './signup.controller.js';
import { SignupService } from './signup.service.js';

/** Signup with a confirmation of the address by mail. */
@Module({
  imports: [LoginModule, MailModule, PasswordsModule, PendingSignupsModule, SessionsModule],
  controllers: [SignupController],
  providers: [SignupService],
})
export class SignupModule {}
