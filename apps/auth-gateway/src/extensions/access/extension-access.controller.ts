import { Body, Controller, Get, Param, Put, Query } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import {
  AccessPolicy,
  AccessPolicyRequest,
  AccessPolicyResponse,
  ExtensionUsersResponse,
  ListAccessPoliciesQuery,
  ListExtensionUsersQuery,
} from '@platform/contracts';
import { Access } from '@platform/guards';
import { CurrentTenant } from '../../organisation/current-tenant/current-tenant.js';
import { AccessPolicies } from './access-policies.service.js';

@ApiTags('Marketplace and me')
@Controller('v1/extensions')
export class ExtensionAccessController {
  constructor(private readonly policies: AccessPolicies) {}

  /** The rules of a tenant by app. An app that is not in it is open to everybody. */
  @Get('access')
  @Access('service', { permission: 'extensions' })
  @ApiExtraModels(AccessPolicy)
  @ApiOkResponse({ schema: { type: 'object', additionalProperties: { $ref: getSchemaPath(AccessPolicy) } } })
  listAccessPolicies(@Query() query: ListAccessPoliciesQuery): Promise<Record<string, AccessPolicy>> {
    return this.policies.list(query);
  }

  /** Who of the tenant may call an app. */
  @Get(':app_id/access')
  @Access('adminOrService', { permission: 'extensions' })
  getAccessPolicy(@CurrentTenant() tenantId: string, @Param('app_id') appId: string): Promise<AccessPolicyResponse> {
    return this.policies.get(tenantId, appId);
  }

  /** Says who of the tenant may call an app. */
  @Put(':app_id/access')
  @Access('adminOrService', { permission: 'extensions' })
  replaceAccessPolicy(
    @CurrentTenant() tenantId: string,
    @Param('app_id') appId: string,
    @Body() request: AccessPolicyRequest,
  ): Promise<AccessPolicyResponse> {
    return this.policies.replace(tenantId, appId, request);
  }

  /** The users of the tenant who have an app, and whether they may call it. */
  @Get(':app_id/users')
  @Access('adminOrService', { permission: 'extensions' })
  listExtensionUsers(
    @CurrentTenant() tenantId: string,
    @Param('app_id') appId: string,
    @Query() query: ListExtensionUsersQuery,
  ): Promise<ExtensionUsersResponse> {
    return this.policies.users(tenantId, appId, query);
  }
}
