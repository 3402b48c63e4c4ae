import { Module, type OnModuleInit } from '@nestjs/common';
import { MaintenanceTasks } from '@platform/messaging';
import { LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '../../config.js';
import { accessTokenKind, AccessTokens } from './access-tokens.service.js';
import { JwksController } from './jwks.controller.js';
import { KeySetJwtService } from './key-set-jwt.service.js';
import { SigningKeys } from './signing-keys.service.js';

/** Milliseconds between two runs of the maintenance of the keys. */
const ROTATE_KEYS_EVERY_MS = 3_600_000;

/** Access tokens and the keys that sign them. */
@Module({
  controllers: [JwksController],
  providers: [
    {
      provide: SigningKeys,
      useFactory: (dataSource: DataSource, config: Config, logger: Logger) =>
        new SigningKeys(dataSource, config.SECRET_KEYS, logger),
      inject: [DataSource, CONFIG, LOGGER],
    },
    {
      provide: KeySetJwtService,
      useFactory: (keys: SigningKeys, config: Config) => new KeySetJwtService(keys, accessTokenKind(config.PUBLIC_URL)),
      inject: [SigningKeys, CONFIG],
    },
    AccessTokens,
  ],
  exports: [AccessTokens, SigningKeys],
})
export class TokensModule implements OnModuleInit {
  constructor(
    private readonly keys: SigningKeys,
    tasks: MaintenanceTasks,
  ) {
    tasks.every(ROTATE_KEYS_EVERY_MS, 'signing-keys', () => keys.maintain());
  }

  async onModuleInit(): Promise<void> {
    await this.keys.ensure();
  }
}
