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
import { TenantHealth } from './health/tenant-health.js';
import { Tenants } from './tenants.service.js';

const HEALTH_LIMIT = policy('tenant-health-ip', 60, MINUTE);

/** Administrators of the platform's own tenant and trusted backends manage every tenant; everybody else has to do with their own. */
@ApiTags('Tenants')
@Controller('v1/tenants')
export class TenantsController {
  constructor(
    private readonly tenants: Tenants,
    private readonly health: TenantHealth,
  ) {}

  /**
   * Creates a tenant and the roles that it cannot be without. Who may resell creates tenants below their own; whatever else an
   * administrator of a tenant tries to create is refused.
   */
  @Post()
  @Access('tenants:write', { permission: 'tenants' })
  createTenant(@CurrentCaller() caller: Caller, @Body() request: CreateTenantRequest): Promise<TenantResponse> {
    return this.tenants.create(caller, request);
  }

  /** The tenants that the caller sees, by id, those that were deleted included. */
  @Get()
  @Access('tenants:read', { permission: 'tenants' })
  listTenants(@CurrentCaller() caller: Caller, @Query() page: ListTenantsQuery): Promise<TenantResponse[]> {
    return this.tenants.list(caller, page);
  }

  /** A tenant; one that the caller does not see is not there. */
  @Get(':tenant_id')
  @Access('tenants:read', { permission: 'tenants' })
  getTenant(@CurrentCaller() caller: Caller, @Param('tenant_id') id: string): Promise<TenantResponse> {
    return this.tenants.get(caller, id);
  }

  /**
   * Changes a tenant. What is absent stays. An administrator of the tenant itself changes its name and how its users sign in; `db_config`,
   * `max_connections`, `features` and `is_active` are for those who manage every tenant.
   */
  @Patch(':tenant_id')
  @Access('tenants:write', { permission: 'tenants' })
  updateTenant(
    @CurrentCaller() caller: Caller,
    @Param('tenant_id') id: string,
    @Body() request: UpdateTenantRequest,
  ): Promise<TenantResponse> {
    return this.tenants.update(caller, id, request);
  }

  /** Takes a tenant out of use: nobody signs in to it any more, and sessions and API keys end at once. Its data stays. */
  @Delete(':tenant_id')
  @Access('tenants:write', { permission: 'tenants' })
  deleteTenant(@CurrentCaller() caller: Caller, @Param('tenant_id') id: string): Promise<DeleteTenantResponse> {
    return this.tenants.delete(caller, id);
  }

  /** Opens a connection to the tenant's database, for 3 seconds at most. Without `db_config` its data is in the platform's own. */
  @Get(':tenant_id/health')
  @Access('tenants:read', { permission: 'tenants' })
  @RateLimit(HEALTH_LIMIT)
  getTenantHealth(@CurrentCaller() caller: Caller, @Param('tenant_id') id: string): Promise<TenantHealthResponse> {
    return this.health.check(caller, id);
  }
}
