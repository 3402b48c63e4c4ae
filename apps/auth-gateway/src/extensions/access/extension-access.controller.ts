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
import { AccessPoliciesService } from './access-policies.service.js';

@ApiTags('Marketplace and me')
@Controller('v1/extensions')
export class ExtensionAccessController {
  constructor(private readonly policies: AccessPoliciesService) {}

  /**
   * Lists access rules of a tenant, by app. An app without an entry is open to all users of the
   * tenant.
   */
  @Get('access')
  @Access('service', { permission: 'extensions' })
  @ApiExtraModels(AccessPolicy)
  @ApiOkResponse({ schema: { type: 'object', additionalProperties: { $ref: getSchemaPath(AccessPolicy) } } })
  listAccessPolicies(@Query() query: ListAccessPoliciesQuery): Promise<Record<string, AccessPolicy>> {
    return this.policies.listPolicies(query);
  }

  /**
   * Reads the access rule of an app: which users of the tenant can call it. An app that is neither
   * published nor installed in the tenant is answered 404 `extension.not_found`.
   */
  @Get(':app_id/access')
  @Access('adminOrService', { permission: 'extensions' })
  getAccessPolicy(@CurrentTenant() tenantId: string, @Param('app_id') appId: string): Promise<AccessPolicyResponse> {
    return this.policies.getPolicy(tenantId, appId);
  }

  /**
   * Sets which users of the tenant can call an app, and returns the new rule. Unknown scopes, roles
   * and users are answered 422. An app that is neither published nor installed in the tenant is
   * answered 404 `extension.not_found`.
   */
  @Put(':app_id/access')
  @Access('adminOrService', { permission: 'extensions' })
  replaceAccessPolicy(
    @CurrentTenant() tenantId: string,
    @Param('app_id') appId: string,
    @Body() request: AccessPolicyRequest,
  ): Promise<AccessPolicyResponse> {
    return this.policies.replacePolicy(tenantId, appId, request);
  }

  /**
   * Lists the active users of the tenant who have an app, each with their access to it. An app that
   * is neither published nor installed in the tenant is answered 404 `extension.not_found`.
   */
  @Get(':app_id/users')
  @Access('adminOrService', { permission: 'extensions' })
  listExtensionUsers(
    @CurrentTenant() tenantId: string,
    @Param('app_id') appId: string,
    @Query() query: ListExtensionUsersQuery,
  ): Promise<ExtensionUsersResponse> {
    return this.policies.listUsers(tenantId, appId, query);
  }
}
