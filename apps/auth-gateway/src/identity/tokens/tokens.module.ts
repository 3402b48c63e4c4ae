import { Module, type OnModuleInit } from '@nestjs/common';
import { MaintenanceTasksService } from '@platform/messaging';
import { LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '../../config.js';
import { getAccessTokenKind, AccessTokensService } from './access-tokens.service.js';
import { JwksController } from './jwks.controller.js';
import { KeySetJwtService } from './key-set-jwt.service.js';
import { SigningKeysService } from './signing-keys.service.js';

/** Milliseconds between two runs of the maintenance of the keys. */
const ROTATE_KEYS_EVERY_MS = 3_600_000;

/** Access tokens and the keys that sign them. */
@Module({
  controllers: [JwksController],
  providers: [
    {
      provide: SigningKeysService,
      useFactory: (dataSource: DataSource, config: Config, logger: Logger) =>
        new SigningKeysService(dataSource, config.SECRET_KEYS, logger),
      inject: [DataSource, CONFIG, LOGGER],
    },
    {
      provide: KeySetJwtService,
      useFactory: (keys: SigningKeysService, config: Config) =>
        new KeySetJwtService(keys, getAccessTokenKind(config.PUBLIC_URL)),
      inject: [SigningKeysService, CONFIG],
    },
    AccessTokensService,
  ],
  exports: [AccessTokensService, SigningKeysService],
})
export class TokensModule implements OnModuleInit {
  constructor(
    private readonly keys: SigningKeysService,
    tasks: MaintenanceTasksService,
  ) {
    tasks.scheduleTask(ROTATE_KEYS_EVERY_MS, 'signing-keys', () => keys.maintainKeys());
  }

  async onModuleInit(): Promise<void> {
    await this.keys.ensureKeys();
  }
}
