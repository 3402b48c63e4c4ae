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
import { Scopes } from './scopes.service.js';

@ApiTags('Scopes')
@Controller('v1/scopes')
export class ScopesController {
  constructor(private readonly scopes: Scopes) {}

  /** The scopes that the tenant sees: the scopes of the platform and its own. */
  @Get()
  @Access('scopes:read', { permission: 'scopes' })
  @RefusesUnknownQueryKeys()
  listScopes(@CurrentTenant() tenantId: string, @Query() query: ListScopesQuery): Promise<ScopeResponse[]> {
    return this.scopes.list(tenantId, query);
  }

  /**
   * Creates a scope. Scopes of the platform's own administrators are for every tenant, others are
   * for the tenant of the caller.
   */
  @Post()
  @Access('scopes:write', { permission: 'scopes' })
  createScope(@CurrentCaller() caller: Caller, @CurrentTenant() tenantId: string, @Body() request: ScopeCreate): Promise<ScopeResponse> {
    return this.scopes.create(caller, tenantId, request);
  }

  /**
   * The source of each scope of a user, and the scopes denied to them: time, reason and author of
   * each denial. Users see their own; `users:read` allows all.
   */
  @Get('effective/:user_id')
  @Access('bearerOrService', { keyScope: 'profile:read', permission: 'scopes' })
  effectiveScopes(
    @CurrentCaller() caller: Caller,
    @CurrentTenant() tenantId: string,
    @Param('user_id') userId: string,
  ): Promise<EffectiveScopesResponse> {
    return this.scopes.effective(caller, tenantId, userId);
  }

  /** Changes the display name and description of a scope. */
  @Patch(':scope_id')
  @Access('scopes:write', { permission: 'scopes' })
  updateScope(
    @CurrentCaller() caller: Caller,
    @CurrentTenant() tenantId: string,
    @Param() { scope_id }: ScopeIdParam,
    @Body() request: ScopeUpdate,
  ): Promise<ScopeResponse> {
    return this.scopes.update(caller, tenantId, scope_id, request);
  }

  /** Deletes a scope. It must not belong to the platform, and no role or user may hold it. */
  @Delete(':scope_id')
  @Access('scopes:write', { permission: 'scopes' })
  deleteScope(
    @CurrentCaller() caller: Caller,
    @CurrentTenant() tenantId: string,
    @Param() { scope_id }: ScopeIdParam,
  ): Promise<DeletedScopeResponse> {
    return this.scopes.delete(caller, tenantId, scope_id);
  }
}
