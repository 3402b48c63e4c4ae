import { Module } from '@nestjs/common';
import { CONFIG, type Config } from '../../../config.js';
import { TenantDatabases } from './tenant-databases.service.js';

/** Connection settings of tenants' own databases. */
@Module({
  providers: [
    {
      provide: TenantDatabases,
      useFactory: (config: Config) => new TenantDatabases(config.SECRET_KEYS),
      inject: [CONFIG],
    },
  ],
  exports: [TenantDatabases],
})
export class TenantDatabasesModule {}
