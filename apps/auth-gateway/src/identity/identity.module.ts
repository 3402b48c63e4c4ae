import { Module } from '@nestjs/common';
import { ApiKeysModule } from './api-keys/api-keys.module.js';
import { AvailabilityModule } from './availability/availability.module.js';
import { CliLoginModule } from './cli-login/cli-login.module.js';
import { CredentialsModule } from './credentials/credentials.module.js';
import { LoginModule } from './login/login.module.js';
import { MailModule } from './mail/mail.module.js';
import { MeModule } from './me/me.module.js';
import { NicknamesModule } from './nicknames/nicknames.module.js';
import { PasswordChangesModule } from './password-changes/password-changes.module.js';
import { PasswordsModule } from './passwords/passwords.module.js';
import { ProvisioningModule } from './provisioning/provisioning.module.js';
import { RegistrationModule } from './registration/registration.module.js';
import { SessionsModule } from './sessions/sessions.module.js';
import { SignInsModule } from './sign-ins/sign-ins.module.js';
import { SignupModule } from './signup/signup.module.js';
import { TokensModule } from './tokens/tokens.module.js';

/** Signup, login, sessions and tokens of users. */
@Module({
  imports: [
    ApiKeysModule,
    AvailabilityModule,
    CliLoginModule,
    CredentialsModule,
    LoginModule,
    MailModule,
    MeModule,
    NicknamesModule,
    PasswordChangesModule,
    PasswordsModule,
    ProvisioningModule,
    RegistrationModule,
    SessionsModule,
    SignInsModule,
    SignupModule,
    TokensModule,
  ],
})
export class IdentityModule {}
