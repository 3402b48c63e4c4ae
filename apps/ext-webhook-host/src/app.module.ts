import { Module, type DynamicModule } from '@nestjs/common';
import { GuardsModule } from '@platform/guards';
import { PersistenceModule } from '@platform/persistence';
import type { Config } from './config.js';
import { database } from './database.js';

/** The webhook host, configured. */
@Module({})
export class AppModule {
  static register(config: Config): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PersistenceModule.register(database(config.DATABASE_URL, config.DATABASE_POOL_SIZE)),
        GuardsModule.register({ serviceTokens: config.SERVICE_TOKENS }),
      ],
    };
  }
}
