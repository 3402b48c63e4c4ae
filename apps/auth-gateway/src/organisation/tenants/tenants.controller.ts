import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CreateTenantRequest,
  DeleteTenantResponse,
  ListTenantsQuery,
  TenantHealthResponse,
  TenantResponse,
  UpdateTenantRequest,
} from '@platform/contracts';
import { Access, CurrentCaller, RateLimit, type Caller } from '@platform/guards';
import { MINUTE, policy } from '../../kernel/rate-limits.js';
import { TenantHealthService } from './health/tenant-health.service.js';
import { TenantsService } from './tenants.service.js';

const HEALTH_LIMIT = policy('tenant-health-ip', 60, MINUTE);

/**
 * Manages tenants. The platform's own administrators and backends manage every tenant. All other
 * callers manage only their own; a tenant that can resell also sees the tenants below it.
 */
@ApiTags('Tenants')
@Controller('v1/tenants')
export class TenantsController {
  constructor(
    private readonly tenants: TenantsService,
    private readonly health: TenantHealthService,
  ) {}

  /**
   * Creates a tenant and its system roles. An administrator of a tenant can only create tenants if
   * the tenant can resell, and only below it; otherwise 403 `tenant.may_not_create`. 409
   * `tenant.id_taken` if the id exists.
   */
  @Post()
  @Access('tenants:write', { permission: 'tenants' })
  createTenant(@CurrentCaller() caller: Caller, @Body() request: CreateTenantRequest): Promise<TenantResponse> {
    return this.tenants.createTenant(caller, request);
  }

  /**
   * Lists the tenants that the caller sees, in the order of their ids. Deleted tenants are
   * included.
   */
  @Get()
  @Access('tenants:read', { permission: 'tenants' })
  listTenants(@CurrentCaller() caller: Caller, @Query() page: ListTenantsQuery): Promise<TenantResponse[]> {
    return this.tenants.listTenants(caller, page);
  }

  /**
   * Returns a tenant. 404 `tenant.not_found` if it does not exist or the caller does not see it.
   */
  @Get(':tenant_id')
  @Access('tenants:read', { permission: 'tenants' })
  getTenant(@CurrentCaller() caller: Caller, @Param('tenant_id') id: string): Promise<TenantResponse> {
    return this.tenants.getTenant(caller, id);
  }

  /**
   * Changes a tenant. Absent fields stay as they are. Administrators of the tenant can change its
   * name and its login methods. Only callers that manage every tenant can change `db_config`,
   * `max_connections`, `features` and `is_active`; others get 403 `tenant.may_not_change`. 404
   * `tenant.not_found` if the caller does not see it. The platform's own tenant must stay active
   * and allow `email`; otherwise 409.
   */
  @Patch(':tenant_id')
  @Access('tenants:write', { permission: 'tenants' })
  updateTenant(
    @CurrentCaller() caller: Caller,
    @Param('tenant_id') id: string,
    @Body() request: UpdateTenantRequest,
  ): Promise<TenantResponse> {
    return this.tenants.updateTenant(caller, id, request);
  }

  /**
   * Deactivates a tenant. Its users cannot sign in, and its sessions and API keys are refused
   * immediately. Its data is kept. 403 `tenant.may_not_change` unless the caller manages every
   * tenant, 404 `tenant.not_found`, 409 `tenant.is_default` for the platform's own tenant.
   */
  @Delete(':tenant_id')
  @Access('tenants:write', { permission: 'tenants' })
  deleteTenant(@CurrentCaller() caller: Caller, @Param('tenant_id') id: string): Promise<DeleteTenantResponse> {
    return this.tenants.deleteTenant(caller, id);
  }

  /**
   * Checks the connection to the tenant's database, within 3 seconds. If it fails, `healthy` is
   * false and `message` says why. A tenant without `db_config` uses the database of the platform.
   * 404 `tenant.not_found` if the caller does not see the tenant.
   */
  @Get(':tenant_id/health')
  @Access('tenants:read', { permission: 'tenants' })
  @RateLimit(HEALTH_LIMIT)
  getTenantHealth(@CurrentCaller() caller: Caller, @Param('tenant_id') id: string): Promise<TenantHealthResponse> {
    return this.health.checkTenantHealth(caller, id);
  }
}
