import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { CatalogQuery, CatalogResponse, CatalogTool, CatalogToolsQuery } from '@platform/contracts';
import { Access, CurrentCaller, type Caller } from '@platform/guards';
import { RefusesUnknownQueryKeys } from '@platform/platform';
import type { Response } from 'express';
import { ApiConditionalRead, sendTagged } from '../conditional.js';
import { Catalog } from './catalog.service.js';

@ApiTags('Registry')
@Controller('v1/catalog')
export class CatalogController {
  constructor(private readonly catalog: Catalog) {}

  /** What a user has installed, with the manifest that each app serves: what a session begins with. */
  @Get()
  @Access('bearerOrService', { keyScope: 'apps:read', permission: 'catalog' })
  @ApiOkResponse({ type: CatalogResponse })
  @ApiConditionalRead()
  @RefusesUnknownQueryKeys()
  async getCatalog(@CurrentCaller() caller: Caller, @Query() { user_id }: CatalogQuery, @Res() response: Response): Promise<void> {
    sendTagged(response, await this.catalog.of(caller, user_id));
  }

  /**
   * The functions of the apps that a user has installed, by app and name. A trusted backend that names no user gets those of every
   * active app.
   */
  @Get('tools')
  @Access('bearerOrService', { keyScope: 'apps:read', permission: 'catalog' })
  @ApiOkResponse({ type: [CatalogTool] })
  async listCatalogTools(@CurrentCaller() caller: Caller, @Query() query: CatalogToolsQuery, @Res() response: Response): Promise<void> {
    response.type('json').send(await this.catalog.tools(caller, query));
  }
}
