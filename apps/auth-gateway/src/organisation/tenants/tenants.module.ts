import { Module } from '@nestjs/common';
import { CONFIG, type Config } from '../../config.js';
import { TenantHealth } from './health/tenant-health.js';
import { TenantDatabases } from './databases/tenant-databases.js';
import { TenantsController } from './tenants.controller.js';
import { Tenants } from './tenants.service.js';

@Module({
  controllers: [TenantsController],
  providers: [
    { provide: TenantDatabases, useFactory: (config: Config) => new TenantDatabases(config.SECRET_KEYS), inject: [CONFIG] },
    TenantHealth,
    Tenants,
  ],
})
export class TenantsModule {}
