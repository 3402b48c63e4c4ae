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

  /** The scopes that the tenant sees: the platform's and its own. */
  @Get()
  @Access('scopes:read', { permission: 'scopes' })
  @RefusesUnknownQueryKeys()
  listScopes(@CurrentTenant() tenantId: string, @Query() query: ListScopesQuery): Promise<ScopeResponse[]> {
    return this.scopes.list(tenantId, query);
  }

  /** Creates a scope, for every tenant by the platform's own administrators, else for the caller's tenant. */
  @Post()
  @Access('scopes:write', { permission: 'scopes' })
  createScope(@CurrentCaller() caller: Caller, @CurrentTenant() tenantId: string, @Body() request: ScopeCreate): Promise<ScopeResponse> {
    return this.scopes.create(caller, tenantId, request);
  }

  /** Where each scope of a user comes from, and what was denied to them, when, why and by whom. One's own, or with `users:read`. */
  @Get('effective/:user_id')
  @Access('bearerOrService', { keyScope: 'profile:read', permission: 'scopes' })
  effectiveScopes(
    @CurrentCaller() caller: Caller,
    @CurrentTenant() tenantId: string,
    @Param('user_id') userId: string,
  ): Promise<EffectiveScopesResponse> {
    return this.scopes.effective(caller, tenantId, userId);
  }

  /** Changes how a scope is shown. */
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

  /** Deletes a scope that is no part of the platform and that nobody holds. */
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
