import { Body, Controller, Get, Headers, Param, Put, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { GetToolsQuery, PutToolsRequest, PutToolsResponse, ToolManifestResponse } from '@platform/contracts';
import { Access, CurrentCaller, type Caller } from '@platform/guards';
import type { Response } from 'express';
import { ApiConditionalRead, ApiConditionalWrite, sendTagged } from '../conditional.js';
import { Manifests } from './manifests.service.js';

@ApiTags('Registry')
@Controller('v1/apps/:app_id/tools')
export class ToolsController {
  constructor(private readonly manifests: Manifests) {}

  /** Returns the manifest that is served, or that of a stored version. */
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
    sendTagged(response, await this.manifests.get(caller, appId, query));
  }

  /**
   * Replaces the manifest of a version, and serves it unless `release` is false. The registry keeps
   * the served manifest and those of the 50 versions that were pushed last.
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
    return this.manifests.push(caller, appId, request, ifMatch);
  }
}
