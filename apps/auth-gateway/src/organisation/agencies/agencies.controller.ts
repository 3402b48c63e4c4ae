import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  AgencyResponse,
  AgencySettingsUpdate,
  AgencyTheme,
  CreateAgencyRequest,
  ListAgenciesQuery,
} from '@platform/contracts';
import { Access, CurrentCaller, CurrentUser, type Caller, type UserCaller } from '@platform/guards';
import { CurrentTenant } from '../current-tenant/current-tenant.js';
import { AgenciesService } from './agencies.service.js';
import { AgencySettingsService } from './agency-settings.service.js';
import { AgencyThemesService } from './agency-themes.service.js';

@ApiTags('Agencies')
@Controller('v1/agencies')
export class AgenciesController {
  constructor(
    private readonly agencies: AgenciesService,
    private readonly settings: AgencySettingsService,
    private readonly themes: AgencyThemesService,
  ) {}

  /**
   * Returns the agency of the caller. A user without an agency gets a placeholder with the id
   * `default`, the name of the tenant and the standard look of the platform.
   */
  @Get('me')
  @Access('bearer', { keyScope: 'profile:read' })
  myAgency(@CurrentUser() user: UserCaller): Promise<AgencyResponse> {
    return this.agencies.getMyAgency(user);
  }

  /** Lists the agencies of the tenant, oldest first. */
  @Get()
  @Access('agencies:read', { permission: 'agencies' })
  listAgencies(@CurrentTenant() tenantId: string, @Query() query: ListAgenciesQuery): Promise<AgencyResponse[]> {
    return this.agencies.listAgencies(tenantId, query);
  }

  /**
   * Creates an agency in the tenant. 409 `agency.id_taken` or `agency.domain_taken` if another
   * agency has the id or the domain, 403 if the request has settings and the caller is a user
   * without the rights of an administrator.
   */
  @Post()
  @Access('agencies:write', { permission: 'agencies' })
  createAgency(
    @CurrentCaller() caller: Caller,
    @CurrentTenant() tenantId: string,
    @Body() request: CreateAgencyRequest,
  ): Promise<AgencyResponse> {
    return this.agencies.createAgency(caller, tenantId, request);
  }

  /** Returns an agency of the tenant. 404 `agency.not_found` if there is none with this id. */
  @Get(':agency_id')
  @Access('agencies:read', { permission: 'agencies' })
  getAgency(@CurrentTenant() tenantId: string, @Param('agency_id') agencyId: string): Promise<AgencyResponse> {
    return this.agencies.getAgency(tenantId, agencyId);
  }

  /**
   * Changes the settings of an agency that the body contains and keeps all others; null removes a
   * setting. 404 `agency.not_found` if the tenant has no such agency, 422 if the settings become
   * too large.
   */
  @Put(':agency_id/settings')
  @Access('adminOrService', { permission: 'agencies' })
  updateAgencySettings(
    @CurrentTenant() tenantId: string,
    @Param('agency_id') agencyId: string,
    @Body() update: AgencySettingsUpdate,
  ): Promise<AgencyResponse> {
    return this.settings.mergeSettings(tenantId, agencyId, update);
  }

  /**
   * Replaces the whole theme of an agency. 404 `agency.not_found` if the tenant has no such agency.
   */
  @Put(':agency_id/theme')
  @Access('adminOrService', { permission: 'agencies' })
  replaceAgencyTheme(
    @CurrentTenant() tenantId: string,
    @Param('agency_id') agencyId: string,
    @Body() theme: AgencyTheme,
  ): Promise<AgencyResponse> {
    return this.themes.replaceTheme(tenantId, agencyId, theme);
  }

  /**
   * Deletes the theme of an agency, which then has the standard look of the platform again. 404
   * `agency.not_found` if the tenant has no such agency.
   */
  @Delete(':agency_id/theme')
  @HttpCode(204)
  @Access('adminOrService', { permission: 'agencies' })
  resetAgencyTheme(@CurrentTenant() tenantId: string, @Param('agency_id') agencyId: string): Promise<void> {
    return this.themes.resetTheme(tenantId, agencyId);
  }
}
