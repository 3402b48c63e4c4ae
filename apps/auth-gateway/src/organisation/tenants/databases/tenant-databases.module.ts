import { Module } from '@nestjs/common';
import { CONFIG, type Config } from '../../../config.js';
import { TenantDatabasesService } from './tenant-databases.service.js';

/** Connection settings of tenants' own databases. */
@Module({
  providers: [
    {
      provide: TenantDatabasesService,
      useFactory: (config: Config) => new TenantDatabasesService(config.SECRET_KEYS),
      inject: [CONFIG],
    },
  ],
  exports: [TenantDatabasesService],
})
export class TenantDatabasesModule {}
