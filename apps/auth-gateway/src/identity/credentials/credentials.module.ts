import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { GatewayCredentialsService } from './gateway-credentials.service.js';

/** Finds the user of an access token or an API key. */
@Module({
  imports: [ApiKeysModule, SessionsModule, TokensModule],
  providers: [GatewayCredentialsService],
  exports: [GatewayCredentialsService],
})
export class CredentialsModule {}
