import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { Provisioning } from './provisioning/provisioning.js';
import { RegistrationController } from './registration/registration.controller.js';
import { RegistrationService } from './registration/registration.service.js';
import { ApiKeyUsers } from './api-keys/api-key-users.js';
import { ApiKeyOwnersController } from './api-keys/api-key-owners.controller.js';
import { ApiKeysController } from './api-keys/api-keys.controller.js';
import { ApiKeys } from './api-keys/api-keys.service.js';
import { AvailabilityController } from './availability/availability.controller.js';
import { Availability } from './availability/availability.service.js';
import { CliCodesController } from './cli-login/cli-codes.controller.js';
import { CliCodes } from './cli-login/cli-codes.service.js';
import { DeviceApprovals } from './cli-login/device-approvals.service.js';
import { DeviceLoginController } from './cli-login/device-login.controller.js';
import { DeviceLogins } from './cli-login/device-logins.service.js';
import { CONFIG, type Config } from '../config.js';
import { Erasures } from '../kernel/erasure/erasures.js';
import { KnownDevices } from './login/known-devices.js';
import { LoginController } from './login/login.controller.js';
import { LoginService } from './login/login.service.js';
import { LoginThrottle } from './login/login-throttle.js';
import { AccountMails } from './mail/account-mails.js';
import { MailRequests } from './mail/mail-requests.js';
import { Mailer } from './mail/mailer.service.js';
import { RecipientLimits } from './mail/recipient-limits.js';
import { MeController } from './me/me.controller.js';
import { MySettingsController } from './me/my-settings.controller.js';
import { UserSettings } from './me/my-settings.service.js';
import { PasswordChanges } from './password-changes/password-changes.service.js';
import { PasswordPolicy } from './passwords/password-policy.js';
import { PasswordsController } from './password-changes/passwords.controller.js';
import { Passwords } from './passwords/passwords.service.js';
import { GatewayCredentials } from './credentials/gateway-credentials.js';
import { SessionList } from './sessions/session-list.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { Sessions } from './sessions/sessions.service.js';
import { SignInAudit } from './sign-ins/sign-in-audit.js';
import { SignedInUsers } from './sessions/signed-in-users.js';
import { SignupController } from './signup/signup.controller.js';
import { SignupService } from './signup/signup.service.js';
import { AccessTokens } from './tokens/access-tokens.js';
import { JwksController } from './tokens/jwks.controller.js';
import { SigningKeys } from './tokens/signing-keys.js';
import { CasesUidController } from './me/cases-uid.controller.js';
import { CasesUids } from './me/cases-uids.js';

/** Who somebody is: signing up, signing in, sessions and the tokens that stand for them. */
@Module({
  controllers: [
    ApiKeysController,
    ApiKeyOwnersController,
    AvailabilityController,
    CasesUidController,
    CliCodesController,
    DeviceLoginController,
    JwksController,
    LoginController,
    MeController,
    MySettingsController,
    PasswordsController,
    RegistrationController,
    SessionsController,
    SignupController,
  ],
  providers: [
    {
      provide: SigningKeys,
      useFactory: (dataSource: DataSource, config: Config, logger: Logger) => new SigningKeys(dataSource, config.SECRET_KEYS, logger),
      inject: [DataSource, CONFIG, LOGGER],
    },
    {
      provide: AccessTokens,
      useFactory: (keys: SigningKeys, config: Config) => new AccessTokens(keys, config.PUBLIC_URL),
      inject: [SigningKeys, CONFIG],
    },
    AccountMails,
    UserSettings,
    ApiKeyUsers,
    ApiKeys,
    Availability,
    CasesUids,
    CliCodes,
    DeviceApprovals,
    DeviceLogins,
    Erasures,
    GatewayCredentials,
    KnownDevices,
    LoginService,
    LoginThrottle,
    Mailer,
    MailRequests,
    PasswordChanges,
    PasswordPolicy,
    Passwords,
    Provisioning,
    RecipientLimits,
    RegistrationService,
    SessionList,
    Sessions,
    SignedInUsers,
    SignInAudit,
    SignupService,
  ],
  exports: [Erasures, GatewayCredentials, PasswordPolicy, Passwords, Provisioning, Sessions, SigningKeys],
})
export class IdentityModule implements OnModuleInit {
  constructor(@Inject(SigningKeys) private readonly keys: SigningKeys) {}

  async onModuleInit(): Promise<void> {
    await this.keys.ensure();
  }
}
