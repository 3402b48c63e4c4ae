import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { CatalogQuery, CatalogResponse, CatalogTool, CatalogToolsQuery } from '@platform/contracts';
import { Access, CurrentCaller, type Caller } from '@platform/guards';
import { RefusesUnknownQueryKeys } from '@platform/platform';
import type { Response } from 'express';
import { ApiConditionalRead, sendTagged } from '../conditional-requests.js';
import { CatalogService } from './catalog.service.js';

@ApiTags('Registry')
@Controller('v1/catalog')
export class CatalogController {
  constructor(private readonly catalog: CatalogService) {}

  /**
   * Returns the apps that a user has installed and may call, with the manifest of each. A user can
   * request only their own catalog, otherwise the answer is 403 `app.other_user`. A trusted backend
   * or an administrator of the platform must name the user.
   */
  @Get()
  @Access('bearerOrService', { keyScope: 'apps:read', permission: 'catalog' })
  @ApiOkResponse({ type: CatalogResponse })
  @ApiConditionalRead()
  @RefusesUnknownQueryKeys()
  async getCatalog(
    @CurrentCaller() caller: Caller,
    @Query() { user_id }: CatalogQuery,
    @Res() response: Response,
  ): Promise<void> {
    sendTagged(response, await this.catalog.getCatalog(caller, user_id));
  }

  /**
   * Lists the functions of the apps that a user has installed and may call, ordered by app and
   * name. A user can request only their own, otherwise the answer is 403 `app.other_user`. A
   * trusted backend or an administrator of the platform that names no user gets the functions of
   * every active app.
   */
  @Get('tools')
  @Access('bearerOrService', { keyScope: 'apps:read', permission: 'catalog' })
  @ApiOkResponse({ type: [CatalogTool] })
  async listCatalogTools(
    @CurrentCaller() caller: Caller,
    @Query() query: CatalogToolsQuery,
    @Res() response: Response,
  ): Promise<void> {
    response.type('json').send(await this.catalog.listTools(caller, query));
  }
}
