import { Module } from '@nestjs/common';
import { AgenciesModule } from './agencies/agencies.module.js';
import { AuditModule } from './audit/audit.module.js';
import { PermissionsModule } from './permissions/permissions.module.js';
import { RolesModule } from './roles/roles.module.js';
import { ScopesModule } from './scopes/scopes.module.js';
import { TenantsModule } from './tenants/tenants.module.js';
import { UsersModule } from './users/users.module.js';

/** Tenants, users, permissions and the audit log. */
@Module({
  imports: [AgenciesModule, AuditModule, PermissionsModule, RolesModule, ScopesModule, TenantsModule, UsersModule],
})
export class OrganisationModule {}
