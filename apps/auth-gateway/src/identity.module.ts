import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from './config.js';
import { LoginController } from './login/login.controller.js';
import { LoginService } from './login/login.service.js';
import { LoginThrottle } from './login/login-throttle.js';
import { Mailer } from './mail/mailer.service.js';
import { RecipientLimits } from './mail/recipient-limits.js';
import { Maintenance } from './maintenance/maintenance.js';
import { MeController } from './me/me.controller.js';
import { VerifyEmailPageController } from './pages/verify-email-page.controller.js';
import { Passwords } from './passwords/passwords.service.js';
import { GatewayCredentials } from './sessions/gateway-credentials.js';
import { Sessions } from './sessions/sessions.service.js';
import { SignedInUsers } from './sessions/signed-in-users.js';
import { SignupController } from './signup/signup.controller.js';
import { SignupMails } from './signup/signup-mails.js';
import { SignupService } from './signup/signup.service.js';
import { AccessTokens } from './tokens/access-tokens.js';
import { JwksController } from './tokens/jwks.controller.js';
import { SigningKeys } from './tokens/signing-keys.js';

/** Who somebody is: signing up, signing in, sessions and the tokens that stand for them. */
@Module({
  controllers: [SignupController, LoginController, MeController, JwksController, VerifyEmailPageController],
  providers: [
    {
      provide: SigningKeys,
      useFactory: (dataSource: DataSource, config: Config) => new SigningKeys(dataSource, config.SECRET_KEYS),
      inject: [DataSource, CONFIG],
    },
    {
      provide: AccessTokens,
      useFactory: (keys: SigningKeys, config: Config) => new AccessTokens(keys, config.PUBLIC_URL),
      inject: [SigningKeys, CONFIG],
    },
    GatewayCredentials,
    LoginService,
    LoginThrottle,
    Mailer,
    Maintenance,
    Passwords,
    RecipientLimits,
    Sessions,
    SignedInUsers,
    SignupMails,
    SignupService,
  ],
  exports: [GatewayCredentials],
})
export class IdentityModule implements OnModuleInit {
  constructor(@Inject(SigningKeys) private readonly keys: SigningKeys) {}

  async onModuleInit(): Promise<void> {
    await this.keys.ensure();
  }
}
