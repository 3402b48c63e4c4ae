import { Module } from '@nestjs/common';
import { TenantDatabasesModule } from '../databases/tenant-databases.module.js';
import { TenantHealth } from './tenant-health.service.js';

/** Checks the connection to tenants' databases. */
@Module({ imports: [TenantDatabasesModule], providers: [TenantHealth], exports: [TenantHealth] })
export class TenantHealthModule {}
