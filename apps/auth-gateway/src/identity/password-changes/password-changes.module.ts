import { Module } from '@nestjs/common';
import { LoginModule } from '../login/login.module.js';
import { MailModule } from '../mail/mail.module.js';
import { PasswordsModule } from '../passwords/passwords.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { CurrentPasswordService } from './current-password.service.js';
import { PasswordChangesService } from './password-changes.service.js';
import { PasswordsController } from './passwords.controller.js';

@Module({
  imports: [LoginModule, MailModule, PasswordsModule, SessionsModule],
  controllers: [PasswordsController],
  providers: [CurrentPasswordService, PasswordChangesService],
  exports: [CurrentPasswordService],
})
export class PasswordChangesModule {}
