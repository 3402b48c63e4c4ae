import { Module } from '@nestjs/common';
import { CONFIG, type Config } from '../../../config.js';
import { TenantDatabases } from './tenant-databases.js';

/** The settings by which the databases of tenants are reached. */
@Module({
  providers: [{ provide: TenantDatabases, useFactory: (config: Config) => new TenantDatabases(config.SECRET_KEYS), inject: [CONFIG] }],
  exports: [TenantDatabases],
})
export class TenantDatabasesModule {}
