import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CreateRoleRequest,
  DeletedResponse,
  RoleResponse,
  UpdatedRoleResponse,
  UpdateRoleQuery,
  UpdateRoleRequest,
} from '@platform/contracts';
import { Access, CurrentCaller, type Caller } from '@platform/guards';
import { RefusesUnknownQueryKeys } from '@platform/platform';
import { CurrentTenant } from '../current-tenant/current-tenant.js';
import { RolesService } from './roles.service.js';

@ApiTags('Roles and users')
@Controller('v1/roles')
export class RolesController {
  constructor(private readonly roles: RolesService) {}

  /** Lists the roles of the tenant, in the order of their names. */
  @Get()
  @Access('roles:read', { permission: 'roles' })
  @RefusesUnknownQueryKeys()
  listRoles(@CurrentTenant() tenantId: string): Promise<RoleResponse[]> {
    return this.roles.listRoles(tenantId);
  }

  /**
   * Creates a role in the tenant. A user can only give it scopes that they hold; otherwise 403
   * `privilege_escalation`. 409 `role.name_taken` if a role of the tenant has the name.
   */
  @Post()
  @Access('roles:write', { permission: 'roles' })
  createRole(
    @CurrentCaller() caller: Caller,
    @CurrentTenant() tenantId: string,
    @Body() request: CreateRoleRequest,
  ): Promise<RoleResponse> {
    return this.roles.createRole(caller, tenantId, request);
  }

  /**
   * Changes a role. Absent fields stay as they are. `cascade` also removes the own scopes of the
   * role's users and gives them the role's default attributes, in the same transaction. 403
   * `privilege_escalation` for scopes that the caller does not hold, and for the caller's own role
   * or a role of the platform, unless the caller holds `*`. 403 `role.system` for the scopes of the
   * administrator role, 404 `role.not_found`.
   */
  @Patch(':role_id')
  @Access('roles:write', { permission: 'roles' })
  updateRole(
    @CurrentCaller() caller: Caller,
    @CurrentTenant() tenantId: string,
    @Param('role_id') id: string,
    @Query() { cascade }: UpdateRoleQuery,
    @Body() request: UpdateRoleRequest,
  ): Promise<UpdatedRoleResponse> {
    return this.roles.updateRole(caller, tenantId, id, request, cascade);
  }

  /**
   * Deletes a role that no user has. 409 `role.in_use` while a user has it, 403 `role.system` for a
   * role of the platform, 403 `privilege_escalation` if it has scopes that the caller does not
   * hold, 404 `role.not_found`.
   */
  @Delete(':role_id')
  @Access('roles:write', { permission: 'roles' })
  deleteRole(
    @CurrentCaller() caller: Caller,
    @CurrentTenant() tenantId: string,
    @Param('role_id') id: string,
  ): Promise<DeletedResponse> {
    return this.roles.deleteRole(caller, tenantId, id);
  }
}
