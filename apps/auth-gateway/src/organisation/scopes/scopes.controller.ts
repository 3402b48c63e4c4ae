import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  DeletedScopeResponse,
  EffectiveScopesResponse,
  ListScopesQuery,
  ScopeCreate,
  ScopeIdParam,
  ScopeResponse,
  ScopeUpdate,
} from '@platform/contracts';
import { Access, CurrentCaller, type Caller } from '@platform/guards';
import { RefusesUnknownQueryKeys } from '@platform/platform';
import { CurrentTenant } from '../current-tenant/current-tenant.js';
import { ScopesService } from './scopes.service.js';

@ApiTags('Scopes')
@Controller('v1/scopes')
export class ScopesController {
  constructor(private readonly scopes: ScopesService) {}

  /** Lists the scopes that the tenant sees: the scopes for every tenant and its own. */
  @Get()
  @Access('scopes:read', { permission: 'scopes' })
  @RefusesUnknownQueryKeys()
  listScopes(@CurrentTenant() tenantId: string, @Query() query: ListScopesQuery): Promise<ScopeResponse[]> {
    return this.scopes.listScopes(tenantId, query);
  }

  /**
   * Creates a scope. Without `tenant_id`, a scope of the platform's own administrators is for every
   * tenant; others are for the tenant of the caller. 403 `other_tenant` if the caller names another
   * tenant, 409 `scope.name_taken` if the name exists, 422 if the resource belongs to the platform.
   */
  @Post()
  @Access('scopes:write', { permission: 'scopes' })
  createScope(
    @CurrentCaller() caller: Caller,
    @CurrentTenant() tenantId: string,
    @Body() request: ScopeCreate,
  ): Promise<ScopeResponse> {
    return this.scopes.createScope(caller, tenantId, request);
  }

  /**
   * Returns the source of each scope of a user, and the scopes denied to them: time, reason and
   * author of each denial. Users see their own; `users:read` allows all; otherwise 404
   * `user.not_found`.
   */
  @Get('effective/:user_id')
  @Access('bearerOrService', { keyScope: 'profile:read', permission: 'scopes' })
  effectiveScopes(
    @CurrentCaller() caller: Caller,
    @CurrentTenant() tenantId: string,
    @Param('user_id') userId: string,
  ): Promise<EffectiveScopesResponse> {
    return this.scopes.getEffectiveScopes(caller, tenantId, userId);
  }

  /**
   * Changes the display name and description of a scope. 403 `scope.system` if it belongs to the
   * platform, 404 `scope.not_found` if the tenant does not see it.
   */
  @Patch(':scope_id')
  @Access('scopes:write', { permission: 'scopes' })
  updateScope(
    @CurrentCaller() caller: Caller,
    @CurrentTenant() tenantId: string,
    @Param() { scope_id }: ScopeIdParam,
    @Body() request: ScopeUpdate,
  ): Promise<ScopeResponse> {
    return this.scopes.updateScope(caller, tenantId, scope_id, request);
  }

  /**
   * Deletes a scope. 403 `scope.system` if it belongs to the platform, 404 `scope.not_found` if the
   * tenant does not see it, 409 `scope.in_use` while a role or a user holds it or is denied it.
   */
  @Delete(':scope_id')
  @Access('scopes:write', { permission: 'scopes' })
  deleteScope(
    @CurrentCaller() caller: Caller,
    @CurrentTenant() tenantId: string,
    @Param() { scope_id }: ScopeIdParam,
  ): Promise<DeletedScopeResponse> {
    return this.scopes.deleteScope(caller, tenantId, scope_id);
  }
}
