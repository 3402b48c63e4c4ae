import { Body, Controller, Get, Headers, Param, Put, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access, CurrentCaller, type Caller } from '@platform/guards';
import type { Response } from 'express';
import { ApiConditionalRead, ApiConditionalWrite, sendTagged } from '../conditional.js';
import { AppSettings } from './app-settings.service.js';

const ANY_OBJECT = { schema: { type: 'object', additionalProperties: true, example: { skeleton: { ttl: 300 } } } };

@ApiTags('Registry')
@Controller('v1/apps/:app_id/settings')
export class SettingsController {
  constructor(private readonly settings: AppSettings) {}

  /**
   * The runtime settings of an app, `{}` at first. Of `layers` an administrator of a tenant sees what that tenant says, trusted backends and
   * administrators of the platform all, anybody else nothing.
   */
  @Get()
  @Access('bearerOrService', { keyScope: 'apps:read', permission: 'catalog' })
  @ApiOkResponse(ANY_OBJECT)
  @ApiConditionalRead()
  async getSettings(@CurrentCaller() caller: Caller, @Param('app_id') appId: string, @Res() response: Response): Promise<void> {
    sendTagged(response, await this.settings.get(caller, appId));
  }

  /**
   * Changes settings of an app. What the body names changes, at any depth, and the rest stays (RFC 7396): null removes a key, a list is replaced whole. The app's
   * developer changes everything but `layers`, an administrator of a tenant `layers.tenants.{tenant_id}` of theirs, the platform all. At most 64 KiB,
   * and 16 KiB more for each tenant; a key that names a secret is refused.
   */
  @Put()
  @Access('bearerOrService', { keyScope: 'apps:write', permission: 'catalog-write' })
  @ApiBody(ANY_OBJECT)
  @ApiOkResponse(ANY_OBJECT)
  @ApiConditionalWrite()
  async updateSettings(
    @CurrentCaller() caller: Caller,
    @Param('app_id') appId: string,
    @Body() update: Record<string, unknown>,
    @Headers('if-match') ifMatch: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    sendTagged(response, await this.settings.merge(caller, appId, update, ifMatch));
  }
}
