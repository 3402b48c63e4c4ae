import { Body, Controller, Get, Headers, Param, Put, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { GetToolsQuery, PutToolsRequest, PutToolsResponse, ToolManifestResponse } from '@platform/contracts';
import { Access, CurrentCaller, type Caller } from '@platform/guards';
import type { Response } from 'express';
import { ApiConditionalRead, ApiConditionalWrite, sendTagged } from '../conditional-requests.js';
import { ManifestsService } from './manifests.service.js';

@ApiTags('Registry')
@Controller('v1/apps/:app_id/tools')
export class ToolsController {
  constructor(private readonly manifests: ManifestsService) {}

  /**
   * Returns the manifest that is served, or that of a stored version. A manifest has the functions
   * and the skeleton sections of a version. Answers 404 `app.version_not_found` if the version is
   * not stored, or if it is not served and the caller does not manage the app.
   */
  @Get()
  @Access('bearerOrService', { keyScope: 'apps:read', permission: 'catalog' })
  @ApiOkResponse({ type: ToolManifestResponse })
  @ApiConditionalRead()
  async getTools(
    @CurrentCaller() caller: Caller,
    @Param('app_id') appId: string,
    @Query() query: GetToolsQuery,
    @Res() response: Response,
  ): Promise<void> {
    sendTagged(response, await this.manifests.getManifest(caller, appId, query));
  }

  /**
   * Replaces the manifest of a version. If the caller is a trusted backend or an administrator of
   * the platform, and `release` is not false, it is served; an owner's manifest is only stored. The
   * registry keeps the served manifest, the last 50 of the platform and the last 50 of the owner.
   * Answers 409 if the version already has another manifest: `app.version_is_served` if it is
   * served and this one would not be, `app.version_is_held` if the owner would replace one of the
   * platform.
   */
  @Put()
  @Access('bearerOrService', { keyScope: 'apps:write', permission: 'catalog-write' })
  @ApiConditionalWrite()
  putTools(
    @CurrentCaller() caller: Caller,
    @Param('app_id') appId: string,
    @Body() request: PutToolsRequest,
    @Headers('if-match') ifMatch: string | undefined,
  ): Promise<PutToolsResponse> {
    return this.manifests.storeManifest(caller, appId, request, ifMatch);
  }
}
