import { Module } from '@nestjs/common';
import { TenantDatabasesModule } from '../databases/tenant-databases.module.js';
import { TenantHealthService } from './tenant-health.service.js';

/** Checks the connection to tenants' databases. */
@Module({ imports: [TenantDatabasesModule], providers: [TenantHealthService], exports: [TenantHealthService] })
export class TenantHealthModule {}
