import { Module } from '@nestjs/common';
import { TenantDatabasesModule } from '../databases/tenant-databases.module.js';
import { TenantHealth } from './tenant-health.js';

/** Whether the database of a tenant can be used. */
@Module({ imports: [TenantDatabasesModule], providers: [TenantHealth], exports: [TenantHealth] })
export class TenantHealthModule {}
