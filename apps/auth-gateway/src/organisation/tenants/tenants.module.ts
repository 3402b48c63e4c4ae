import { Module } from '@nestjs/common';
import { TenantDatabasesModule } from './databases/tenant-databases.module.js';
import { TenantHealthModule } from './health/tenant-health.module.js';
import { TenantsController } from './tenants.controller.js';
import { TenantsService } from './tenants.service.js';

@Module({
  imports: [TenantDatabasesModule, TenantHealthModule],
  controllers: [TenantsController],
  providers: [TenantsService],
})
export class TenantsModule {}
