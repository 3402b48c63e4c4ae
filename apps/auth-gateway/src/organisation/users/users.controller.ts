import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CreateUserRequest,
  DeleteUserQuery,
  ListUsersQuery,
  UpdateUserRequest,
  UserDetailResponse,
  UserListResponse,
} from '@platform/contracts';
import { Access, CurrentCaller, type Caller } from '@platform/guards';
import { CurrentTenant } from '../current-tenant/current-tenant.js';
import { UsersService } from './users.service.js';

@ApiTags('Roles and users')
@Controller('v1/users')
export class UsersController {
  constructor(private readonly users: UsersService) {}

  /** Lists the users of the tenant, newest first. */
  @Get()
  @Access('users:read', { permission: 'users' })
  listUsers(@CurrentTenant() tenantId: string, @Query() query: ListUsersQuery): Promise<UserListResponse> {
    return this.users.listUsers(tenantId, query);
  }

  /**
   * Creates a user. Their email address counts as confirmed. 403 `privilege_escalation` for rights
   * that the caller does not have, 409 `user.email_taken` if a user of the tenant has the address,
   * 422 for a weak password or an unknown role or agency.
   */
  @Post()
  @Access('users:write', { permission: 'users' })
  createUser(
    @CurrentCaller() caller: Caller,
    @CurrentTenant() tenantId: string,
    @Body() request: CreateUserRequest,
  ): Promise<UserDetailResponse> {
    return this.users.createUser(caller, tenantId, request);
  }

  /**
   * Returns a user of the tenant, with their role and scopes. 404 `user.not_found` if there is none
   * with this id.
   */
  @Get(':user_id')
  @Access('users:read', { permission: 'users' })
  getUser(@CurrentTenant() tenantId: string, @Param('user_id') id: string): Promise<UserDetailResponse> {
    return this.users.getUser(tenantId, id);
  }

  /**
   * Changes a user. Absent fields stay as they are. Changed rights apply immediately; deactivation
   * ends all sessions of the user. 403 `privilege_escalation` if the user has rights that the
   * caller does not have, before or after the change. 409 `user.last_administrator` if no
   * administrator with all rights would be left.
   */
  @Patch(':user_id')
  @Access('users:write', { permission: 'users' })
  updateUser(
    @CurrentCaller() caller: Caller,
    @CurrentTenant() tenantId: string,
    @Param('user_id') id: string,
    @Body() request: UpdateUserRequest,
  ): Promise<UserDetailResponse> {
    return this.users.updateUser(caller, tenantId, id, request);
  }

  /**
   * Deactivates a user. With `permanent` it deletes the account and all personal data. 403
   * `privilege_escalation` if the user has rights that the caller does not have, 409
   * `user.last_administrator` if no administrator with all rights would be left.
   */
  @Delete(':user_id')
  @Access('users:write', { permission: 'users' })
  deleteUser(
    @CurrentCaller() caller: Caller,
    @CurrentTenant() tenantId: string,
    @Param('user_id') id: string,
    @Query() { permanent }: DeleteUserQuery,
  ): Promise<UserDetailResponse> {
    return this.users.deleteUser(caller, tenantId, id, permanent);
  }
}
