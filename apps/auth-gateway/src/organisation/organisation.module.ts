import { Module } from '@nestjs/common';
import { AuditController } from './audit/audit.controller.js';
import { AuditSealJobs } from './audit/audit-seal.jobs.js';
import { AuditLog } from './audit/audit-log.service.js';
import { IdentityModule } from '../identity/identity.module.js';
import { PermissionChanges } from './permissions/permission-changes.js';
import { RolesController } from './roles/roles.controller.js';
import { Roles } from './roles/roles.service.js';
import { ScopesController } from './scopes/scopes.controller.js';
import { Scopes } from './scopes/scopes.service.js';
import { UsersController } from './users/users.controller.js';
import { Users } from './users/users.service.js';

/** Who may do what in a tenant, and who did it. */
@Module({
  imports: [IdentityModule],
  controllers: [AuditController, RolesController, ScopesController, UsersController],
  providers: [AuditLog, AuditSealJobs, PermissionChanges, Roles, Scopes, Users],
})
export class OrganisationModule {}
